import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from "xstate";

/** A statechart of xstate as a mermaid `stateDiagram-v2`: its states, transitions, guards and actions. */
export function statechart(machine: AnyStateMachine): string {
  const lines = ["stateDiagram-v2", ...inside(machine.root, 1), ...[...nodesBelow(machine.root)].flatMap(transitions)];
  return `${lines.join("\n")}\n`;
}

function* nodesBelow(node: AnyStateNode): Generator<AnyStateNode> {
  for (const child of Object.values(node.states)) {
    yield child;
    yield* nodesBelow(child);
  }
}

/** The states within a state, the first one marked, final ones too. */
function inside(node: AnyStateNode, depth: number): string[] {
  const indent = "  ".repeat(depth);
  const [initial] = node.initial?.target ?? [];
  const states = Object.values(node.states).flatMap((child) => {
    const nested = Object.keys(child.states).length > 0;
    const open = nested ? [`${indent}state ${idOf(child)} {`, ...inside(child, depth + 1), `${indent}}`] : [];
    const own = nested ? [] : [`${indent}${idOf(child)}: ${child.key}${entryOf(child)}`];
    return [...open, ...own, ...(child.type === "final" ? [`${indent}${idOf(child)} --> [*]`] : [])];
  });
  return [...(initial === undefined ? [] : [`${indent}[*] --> ${idOf(initial)}`]), ...states];
}

function entryOf({ entry }: AnyStateNode): string {
  const names = entry.map(nameOf).filter((name) => !name.startsWith("xstate.")); // its timers stand as transitions
  return names.length === 0 ? "" : ` / ${names.join(", ")}`;
}

function transitions(node: AnyStateNode): string[] {
  const all: AnyTransitionDefinition[] = [...node.transitions.values()].flat();
  return [...all, ...(node.always ?? [])].map((transition) => {
    const [target = node] = transition.target ?? [];
    return `  ${idOf(node)} --> ${idOf(target)}: ${labelOf(transition)}`;
  });
}

function labelOf({ eventType, guard, actions }: AnyTransitionDefinition): string {
  const event = eventType === "" ? "" : eventType.replace(/^xstate\.after\.(.*?)\..*$/, "after $1");
  const condition = guard === undefined ? "" : `[${guardOf(guard)}]`;
  const done = actions.length === 0 ? "" : `/ ${actions.map(nameOf).join(", ")}`;
  return [event, condition, done].filter((part) => part !== "").join(" ") || "always";
}

/** A guard's name; a combination says its parts. */
function guardOf(guard: unknown): string {
  if (typeof guard === "string") return guard;
  if (typeof guard === "function" && "guards" in guard) return (guard.guards as unknown[]).map(guardOf).join(" and ");
  return nameOf(guard);
}

function nameOf(action: unknown): string {
  return typeof action === "string" ? action : String((action as { type?: string }).type ?? "");
}

function idOf({ path }: AnyStateNode): string {
  return path.join("_");
}

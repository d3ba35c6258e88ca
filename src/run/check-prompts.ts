import { plainMenu } from "../agents/menu.ts";
import { contentAgentRole } from "../agents/site.ts";
import type { Strategy } from "../agents/strategy.ts";
import type { Task } from "../agents/task.ts";
import { fillTemplate, findTemplate, type Prompts } from "../agents/templates.ts";
import type { PreparedTopic } from "./inputs.ts";

/** Throws the InputError of a missing or wrong prompt now, lest a run meet it in its middle. */
export function checkPrompts(
  prompts: Prompts,
  strategy: Strategy,
  task: Task,
  topic: PreparedTopic,
  contentAgentSees: "query" | "query+task",
): void {
  if (!strategy.usesModel) return;
  const ofUserAgent = findTemplate(prompts, "user-agent", task.name, strategy.menu);
  fillTemplate(ofUserAgent, { sites: plainMenu([]).group, ...task.variables(topic) });
  const ofContentAgent = findTemplate(prompts, contentAgentRole(contentAgentSees), null, null);
  fillTemplate(ofContentAgent, { site: "", description: "", query: "", task: "" });
}

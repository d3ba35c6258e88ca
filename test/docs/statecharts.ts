import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { contentAgentMachine } from "../../src/agents/content-agent.ts";
import { userAgentMachine } from "../../src/agents/user-agent.ts";
import { packageRoot } from "../../src/package-root.ts";
import { statechart } from "./statechart.ts";

export const page = join(packageRoot, "docs/background/statecharts.md");

/** The page with its diagrams drawn from the machines as they are. */
export function drawn(text: string): string {
  const machines = { userAgent: userAgentMachine, contentAgent: contentAgentMachine };
  return Object.entries(machines).reduce(
    (result, [name, machine]) =>
      result.replace(
        new RegExp(`(<!-- statechart: ${name} -->\\n\`\`\`mermaid\\n)[\\s\\S]*?(\`\`\`)`),
        (_, head: string, end: string) => `${head}${statechart(machine)}${end}`,
      ),
    text,
  );
}

if (process.argv[2] === "--write") writeFileSync(page, drawn(readFileSync(page, "utf8")));

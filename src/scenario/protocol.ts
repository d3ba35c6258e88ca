import { valueAt, withValue } from "./path.ts";

/** Settings of agents that results depend on, in the words of a scenario. */
type Switches = Readonly<Record<string, string | number | boolean>>;

/** What the release of AgentWebBench does, whatever its paper says. */
const released: Switches = {
  turns: 15,
  "content-agent-turns": 15,
  "documents-per-answer": 3,
  "max-sites-per-search": "unlimited",
  "summary-reminder": 8000,
  "summary-reminder-counts": "prompt",
  "final-answer": "none",
  "format-retries": 4,
  "content-agent-on-invalid": "stop",
  thoughts: "fed-back",
  "document-text": "full",
  "show-url": false,
  "content-agent-sees": "query",
  "result-order": "completion",
  "answer-ids": "any",
};

/**
 * Presets of `agents`. The paper asks for a strict format, and nothing in it tells of hidden calls; where it is
 * silent, it is taken to mean what was released. The schema's defaults are those of awesim.
 */
const presets: Readonly<Record<string, Switches>> = {
  awesim: {},
  "agentwebbench-paper": { ...released, "format-retries": 0 },
  "agentwebbench-released": released,
};

export const protocolNames = ["awesim", "agentwebbench-paper", "agentwebbench-released"] as const;

/** The document with its protocol's value for every switch that is not given. What is no mapping stays as it is. */
export function withProtocol(data: unknown): unknown {
  const preset = presets[String(valueAt(data, ["protocol"]))];
  if (preset === undefined) return data;
  let expanded = data;
  for (const [key, value] of Object.entries(preset)) {
    const path = ["agents", key];
    if (valueAt(expanded, path) === undefined) expanded = withValue(expanded, path, value) ?? expanded;
  }
  return expanded;
}

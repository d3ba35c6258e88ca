import { expect, it } from "vitest";
import type { ModelAnswer } from "../../src/agents/ports.ts";
import { segment } from "../../src/agents/prompt.ts";
import { openaiModel } from "../../src/models/openai.ts";
import { chatServer } from "../support/chat-server.ts";

it("An endpoint that is not there is tried 5 times, then named with what the network says", async () => {
  const server = await chatServer();
  await server.close();
  const model = openaiModel("m", {
    baseUrl: server.baseUrl,
    key: "k",
    thinkingOn: "unset",
    thinkingOff: "unset",
    stream: false,
    context: undefined,
    timeoutMs: 5000,
    ends: { calls: new AbortController().signal, tries: new AbortController().signal },
  });
  const request = { parts: [segment("Query: moon")], parameters: { thinking: true, maxTokens: 10 }, seed: 7 };
  const failure = await (model.ask(request, "c") as Promise<ModelAnswer>).catch((error: Error) => error.message);
  expect(failure).toContain(`${server.baseUrl} failed 5 times`);
  expect(failure).toContain("ECONNREFUSED");
}, 60_000);

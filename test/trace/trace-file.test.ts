import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { FactStream } from "../../src/trace/fact-stream.ts";
import type { Fact, FactBody } from "../../src/trace/facts.ts";
import { type TraceHead, type TraceLevel, traceLevels, TraceWriter } from "../../src/trace/trace-writer.ts";

const folder = mkdtempSync(join(tmpdir(), "awesim-trace-"));
afterAll(() => rmSync(folder, { recursive: true }));

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const head = (level: TraceLevel): TraceHead => ({
  level,
  scenario: "s",
  scenarioSha256: "a",
  corpusSha256: "b",
  vectorsSha256: "c",
  seed: 7,
  replication: 2,
});

const query = fc.string({ unit: "binary", minLength: 1, maxLength: 5 });
const body: fc.Arbitrary<FactBody> = fc.oneof(
  query.map((query) => ({ type: "model.asked" as const, query, agent: "user", turn: 1, promptTokens: 9 })),
  query.map((query) => ({ type: "site.contacted" as const, query, site: "a.example", request: 1 })),
  query.map((message) => ({
    type: "message.sent" as const,
    message,
    query: "q",
    from: "u",
    to: "a.example",
    kind: "request" as const,
  })),
  query.map((query) => ({
    type: "query.completed" as const,
    query,
    outcome: "answered" as const,
    turns: 2,
    answer: ["d é \u2028"],
  })),
);

/** Writes facts, one each virtual second, and returns the trace hash. */
function write(
  path: string | null,
  level: TraceLevel,
  bodies: readonly FactBody[],
  observe?: (fact: Fact) => void,
): string {
  let clock = 0;
  const facts = new FactStream(() => clock);
  const writer = new TraceWriter(path, head(level));
  facts.listen(writer.write);
  if (observe !== undefined) facts.listen(observe);
  for (const each of bodies) {
    facts.state(each);
    clock += 1000;
  }
  return writer.end();
}

const someBodies: readonly FactBody[] = Array.from({ length: 2000 }, (_, n) =>
  n % 3 === 0
    ? { type: "model.asked", query: `q${n}`, agent: "user", turn: 1, promptTokens: n }
    : n % 3 === 1
      ? { type: "site.contacted", query: `q${n}`, site: "a.example", request: 1 }
      : { type: "citation.made", query: `q${n}`, site: "a.example", document: `é${n}` },
);

describe("A trace file", () => {
  it("has a head, facts numbered without gaps, and a last line whose hashes are those of its bytes", () => {
    let file = 0;
    fc.assert(
      fc.property(fc.array(body, { maxLength: 40 }), (bodies) => {
        const path = join(folder, `${file++}.jsonl`);
        const hash = write(path, "full", bodies);
        const text = readFileSync(path, "utf8");
        const lines = text.split("\n");
        expect(lines.pop()).toBe("");
        const footer = JSON.parse(lines.at(-1) as string);
        const facts = lines.slice(1, -1);
        expect(JSON.parse(lines[0] as string)).toEqual({ format: "awesim-trace", version: 1, ...head("full") });
        expect(facts.map((line) => JSON.parse(line))).toEqual(
          bodies.map((each, seq) => ({ seq, t: 1000 * seq, ...each })),
        );
        expect(footer).toEqual({
          type: "trace.end",
          facts: bodies.length,
          sha256: sha256(text.slice(0, text.lastIndexOf("\n", text.length - 2) + 1)),
          streamFacts: bodies.length,
          streamSha256: sha256(facts.map((line) => `${line}\n`).join("")),
        });
        expect(hash).toBe(footer.streamSha256);
      }),
    );
  });

  it("has the same trace hash at every level, without a file, and with other listeners", () => {
    const hashes = traceLevels.map((level) => write(join(folder, level), level, someBodies));
    const seen: Fact[] = [];
    hashes.push(write(null, "full", someBodies));
    hashes.push(write(null, "summary", someBodies, (fact) => seen.push(fact)));
    expect(new Set(hashes).size).toBe(1);
    expect(seen).toHaveLength(someBodies.length);
  });

  it("leaves facts out at lower levels, and says in its last line how many it has and of how many", () => {
    const typesAt = (level: TraceLevel) => {
      const lines = readFileSync(join(folder, level), "utf8").trimEnd().split("\n");
      const footer = JSON.parse(lines.at(-1) as string);
      const facts = lines.slice(1, -1).map((line) => JSON.parse(line) as Fact);
      expect(footer).toMatchObject({ facts: facts.length, streamFacts: someBodies.length });
      expect(facts.every(({ seq }, index) => index === 0 || seq > (facts[index - 1] as Fact).seq)).toBe(true);
      return new Set(facts.map(({ type }) => type));
    };
    expect([...typesAt("full")]).toEqual(["model.asked", "site.contacted", "citation.made"]);
    expect([...typesAt("messages")]).toEqual(["site.contacted", "citation.made"]);
    expect([...typesAt("summary")]).toEqual(["citation.made"]);
  });

  it("of an interrupted run has all facts so far and no last line", () => {
    const path = join(folder, "interrupted");
    const writer = new TraceWriter(path, head("full"));
    const facts = new FactStream(() => 0);
    facts.listen(writer.write);
    for (const each of someBodies) facts.state(each);
    writer.abandon();
    const lines = readFileSync(path, "utf8").trimEnd().split("\n");
    expect(lines).toHaveLength(1 + someBodies.length);
    expect(JSON.parse(lines.at(-1) as string)).toMatchObject({ seq: someBodies.length - 1 });
  });
});

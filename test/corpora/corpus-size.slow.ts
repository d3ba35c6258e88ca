import { expect, it } from "vitest";
import { generateWorld } from "../../src/corpora/generator/coverage.ts";
import { generatorOptions } from "../../src/corpora/generator/generate.ts";
import { planSites } from "../../src/corpora/generator/sites.ts";
import { Streams } from "../../src/kernel/random.ts";

/** The largest heap seen, in bytes, while a world is gone through without keeping any of it. */
function largestHeap(documents: number): number {
  const { seed, sites, parameters } = generatorOptions({ documents });
  const streams = new Streams(seed, 0);
  let largest = 0;
  let pages = 0;
  for (const item of generateWorld(documents, planSites(sites, parameters, streams), parameters, streams)) {
    if (item.kind === "page" && ++pages % 5000 === 0) largest = Math.max(largest, process.memoryUsage().heapUsed);
  }
  expect(pages).toBe(documents);
  return largest;
}

it("takes no more memory for ten times the documents", () => {
  largestHeap(20_000);
  const small = largestHeap(40_000);
  expect(largestHeap(400_000) - small).toBeLessThan(80 * 2 ** 20);
});

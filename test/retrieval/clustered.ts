import { join } from "node:path";
import { CorpusWriter } from "../../src/corpora/write.ts";
import { Streams } from "../../src/kernel/random.ts";
import { type Embedder, unitIntegers } from "../../src/retrieval/embedders/embedder.ts";
import type { VectorMatrix } from "../../src/retrieval/exact-search.ts";

const dimensions = 48;
const made = new Map<string, Int16Array>();

/** A unit vector near one of `clusters` centres; a text names its cluster and itself. */
function clusteredVector(text: string, clusters: number): Int16Array {
  const key = `${clusters} ${text}`;
  const vector = made.get(key) ?? makeVector(text, clusters);
  made.set(key, vector);
  return vector;
}

function makeVector(text: string, clusters: number): Int16Array {
  const streams = new Streams(1, 0);
  const number = Number(/\d+/.exec(text)?.[0] ?? 0);
  const centre = streams.stream("centre", String(number % clusters));
  const noise = streams.stream("noise", text);
  return unitIntegers(Array.from({ length: dimensions }, () => centre.normal(0, 1) + noise.normal(0, 0.7)));
}

export function clusteredMatrix(rows: number, clusters: number): VectorMatrix {
  const values = new Int16Array(rows * dimensions);
  for (let row = 0; row < rows; row += 1) values.set(clusteredVector(`${row} row`, clusters), row * dimensions);
  return { dimensions, values };
}

/** An embedder of one's own, which counts the texts it was given. */
export function clusteredEmbedder(clusters = 20): Embedder & { embedded: string[] } {
  const embedded: string[] = [];
  return {
    name: "clustered",
    identity: `clustered ${clusters}`,
    dimensions,
    costly: true,
    embedded,
    async embed(text) {
      embedded.push(text);
      return clusteredVector(text, clusters);
    },
  };
}

/** A corpus of three sites with 1,050, 20 and no documents. */
export function writeClusteredCorpus(folder: string): string {
  const directory = join(folder, "corpus");
  const writer = new CorpusWriter(directory);
  writer.writeHead({ name: "clustered", version: "1", language: "en" });
  for (const id of ["large.example", "small.example", "empty.example"]) {
    writer.writeSite({ id, name: id, description: "", topics: [], priors: { authority: 0.5, popularity: 0 } });
  }
  for (let i = 0; i < 1070; i += 1) {
    const site = i % 18 === 5 && i < 360 ? "small.example" : "large.example";
    // The texts of every tenth and its neighbour are the same, so that there are ties.
    const text = `${i % 10 === 1 ? i - 1 : i} text`;
    writer.writeDocument({ id: `d${i}`, site, url: `https://${site}/${i}`, title: "page", text });
  }
  writer.writeTopic("web-search", { id: "t", query: "7 query", relevant: { d7: 1 } });
  writer.finish();
  return directory;
}

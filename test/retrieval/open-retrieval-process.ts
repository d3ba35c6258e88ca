/** Opens a retrieval in a process of its own and prints what it found: `open-retrieval-process.ts <corpus> <cache>`. */
import { openRetrieval } from "../../src/retrieval/retrieval.ts";
import { clusteredEmbedder } from "./clustered.ts";

const [corpus, cacheDirectory] = process.argv.slice(2) as [string, string];
void openRetrieval(corpus, { cacheDirectory, embedder: clusteredEmbedder() }).then(async (retrieval) => {
  const hits = await retrieval.search("3 query", null, 10);
  console.log(JSON.stringify({ vectors: retrieval.vectorsSha256, hits }));
  retrieval.close();
});

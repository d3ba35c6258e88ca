import { createHash } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { InputError } from "../../errors.ts";
import { type Embedder, emptyVector, plainSpaces, unitIntegers } from "./embedder.ts";

/** Embeds a text without white space at its ends. */
type Encode = (text: string) => Promise<Int16Array>;

/**
 * Any feature-extraction model of @huggingface/transformers: a directory holding config.json, tokenizer.json and
 * onnx/model.onnx (never looked for on the network), or a model's name on the hub. The mean over the tokens is taken.
 * The identity is that of the vector of a fixed text. Throws an InputError when the model cannot be loaded.
 */
export async function openTransformersEmbedder(model: string): Promise<Embedder> {
  const encode = await loadEncoder(model);
  const probe = await encode("The quick brown fox jumps over the lazy dog.");
  const identity = createHash("sha256").update(new Uint8Array(probe.buffer)).digest("hex");
  return transformersEmbedder(`transformers/${model}`, `transformers ${identity}`, probe.length, async () => encode);
}

/** An embedder whose model is loaded at the first text. */
export function transformersEmbedder(
  name: string,
  identity: string,
  dimensions: number,
  load: () => Promise<Encode>,
): Embedder {
  let encoder: Promise<Encode> | undefined;
  return {
    name,
    identity,
    dimensions,
    costly: true,
    async embed(text) {
      const plain = plainSpaces(text);
      if (plain === "") return emptyVector(dimensions);
      encoder ??= load();
      return (await encoder)(plain);
    },
  };
}

/**
 * Loads a model for one text at a time: in a batch the padding would change the last bits. What stands after
 * `maximumCharacters` of a text is not read.
 */
export async function loadEncoder(model: string, maximumCharacters = Number.POSITIVE_INFINITY): Promise<Encode> {
  const directory = existsSync(model) && statSync(model).isDirectory();
  // Imported late: the library takes a third of a second and 80 MB.
  const { pipeline } = await import("@huggingface/transformers");
  try {
    const extract = await pipeline("feature-extraction", directory ? resolve(model) : model, {
      dtype: "fp32",
      local_files_only: directory,
      session_options: {
        intraOpNumThreads: 2,
        interOpNumThreads: 1,
        extra: {
          session: {
            // Quantised weights are expanded once at loading instead of at every text: a fifth faster.
            disable_quant_qdq: "1",
            // Threads that wait sleep: they would take the processor from everything else.
            intra_op: { allow_spinning: "0" },
          },
        },
      },
    });
    return async (text) => {
      const output = await extract(text.slice(0, maximumCharacters), { pooling: "mean", normalize: false });
      return unitIntegers(output.data as Float32Array);
    };
  } catch (error) {
    throw new InputError(
      `the embedding model cannot be loaded (${firstLine(error)}); expected a directory with config.json, tokenizer.json and onnx/model.onnx, or the name of a feature-extraction model on the Hugging Face hub`,
      { field: `transformers/${model}` },
    );
  }
}

const firstLine = (error: unknown): string =>
  String(error instanceof Error ? error.message : error).split("\n", 1)[0] ?? "";

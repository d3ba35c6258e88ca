/** The ids below this are reserved: unknown, start, end and three spare ones. */
const reservedPieces = 6;

/** Longest input of the encoder, in pieces. */
const maximumPieces = 128;

/**
 * The vocabulary as files that @huggingface/transformers reads: a unigram model over NFKC-normalised text in which
 * "▁" stands for a space and begins the text.
 */
export function tokenizerFiles(vocabulary: [piece: string, logProbability: number][]): Record<string, object> {
  const padding = vocabulary[1]?.[0];
  return {
    "tokenizer.json": {
      version: "1.0",
      truncation: null,
      padding: null,
      added_tokens: [
        { id: 1, content: padding, single_word: false, lstrip: false, rstrip: false, normalized: false, special: true },
      ],
      normalizer: { type: "NFKC" },
      pre_tokenizer: { type: "Metaspace", replacement: "▁", prepend_scheme: "always", split: false },
      post_processor: null,
      decoder: null,
      model: {
        type: "Unigram",
        unk_id: 0,
        // Reserved pieces are so improbable that text which spells one is cut into other pieces.
        vocab: vocabulary.map(([piece, score], id) => [piece, id < reservedPieces ? -100 : score]),
      },
    },
    "tokenizer_config.json": {
      tokenizer_class: "PreTrainedTokenizerFast",
      unk_token: vocabulary[0]?.[0],
      pad_token: padding,
      model_max_length: maximumPieces,
    },
    "config.json": {
      model_type: "bert",
      architectures: ["BertModel"],
      hidden_size: 512,
      vocab_size: vocabulary.length,
      max_position_embeddings: maximumPieces,
    },
  };
}

import { type Attribute, model, node, tensor } from "./onnx.ts";
import type { PublishedWeights, Weight } from "./weights.ts";

type Name = string;

/**
 * The encoder as an ONNX model: token embeddings with sinusoidal positions, two transformer layers, the mean over the
 * tokens, a tanh layer, unit length. Inputs are `input_ids` and `attention_mask` [batch, tokens]; the output
 * `last_hidden_state` is [batch, 1, 512], so that any pooling over it leaves the vector as it is.
 */
export function encoderModel(weights: PublishedWeights): Buffer {
  const graph = new Graph();
  const mask = graph.op("Cast", ["attention_mask"], { to: { int: 1 } });
  const penalty = graph.op("Mul", [graph.op("Sub", [graph.scalar(1), mask]), graph.scalar(-1e9)]);
  const bias = graph.op("Unsqueeze", [penalty, graph.integers([1, 2])]);

  let states = embeddedTokens(graph, weights);
  for (const layer of [0, 1]) states = transformerLayer(graph, weights, layer, states, bias);

  const masked = graph.op("Mul", [states, graph.op("Unsqueeze", [mask, graph.integers([2])])]);
  const sum = graph.op("ReduceSum", [masked, graph.integers([1])], { keepdims: { int: 0 } });
  const count = graph.op("ReduceSum", [mask, graph.integers([1])], { keepdims: { int: 1 } });
  const mean = graph.op("Div", [sum, graph.op("Max", [count, graph.scalar(1)])]);
  const hidden = dense(graph, mean, weights.find("tanh_layer_0/weights"), weights.find("tanh_layer_0/bias"));
  const unit = graph.op("LpNormalization", [graph.op("Tanh", [hidden])], { axis: { int: 1 }, p: { int: 2 } });
  graph.op("Unsqueeze", [unit, graph.integers([1])], {}, "last_hidden_state");

  return model({
    nodes: graph.nodes,
    tensors: graph.tensors,
    inputs: ["input_ids", "attention_mask"].map((name) => ({ name, type: "int64", dimensions: ["batch", "tokens"] })),
    outputs: [{ name: "last_hidden_state", type: "float", dimensions: ["batch", 1, 512] }],
  });
}

/** Twice the token's embedding (the published graph adds it to itself with positions) plus sines and cosines of the position. */
function embeddedTokens(graph: Graph, weights: PublishedWeights): Name {
  const table = weights.find("Embeddings_en");
  const rows = quantised(table, "row");
  const bytes = graph.op("Gather", [graph.int8(rows.values, table.shape), "input_ids"], { axis: { int: 0 } });
  const scale = graph.op("Gather", [graph.floats(rows.scales, [rows.scales.length, 1]), "input_ids"], {
    axis: { int: 0 },
  });
  const embedded = graph.op("Mul", [graph.op("Cast", [bytes], { to: { int: 1 } }), scale]);
  const twice = graph.op("Add", [embedded, embedded]);

  const length = graph.op("Gather", [graph.op("Shape", ["input_ids"]), graph.integers([1], [])], { axis: { int: 0 } });
  const position = graph.op("Range", [graph.integers([0], []), length, graph.integers([1], [])]);
  const column = graph.op("Unsqueeze", [graph.op("Cast", [position], { to: { int: 1 } }), graph.integers([1])]);
  const frequencies = weights.find("TimingSignal/ExpandDims_1");
  const angle = graph.op("MatMul", [column, graph.floats(frequencies.values, frequencies.shape)]);
  const signal = graph.op("Concat", [graph.op("Sin", [angle]), graph.op("Cos", [angle])], { axis: { int: 1 } });
  return graph.op("Add", [twice, signal]);
}

/** Pre-normalised self-attention with four heads and a feed-forward part. Layer 0 widens its 256 inputs to 512. */
function transformerLayer(graph: Graph, weights: PublishedWeights, layer: number, states: Name, bias: Name): Name {
  const find = (part: string) => weights.find(`Layer_${layer}/TransformerLayer/${part}`);
  const width = layer === 0 ? 256 : 512;
  const heads = 4;

  const residual = layer === 0 ? dense(graph, states, find("dense/kernel"), find("dense/bias")) : states;
  const normalised = layerNorm(graph, states, find, "layer_prepostprocess");
  const attention = "MultiheadAttention/";
  const projected = dense(
    graph,
    normalised,
    find(`${attention}qkv_transform_single/kernel`),
    find(`${attention}qkv_transform_single/bias`),
  );
  const [queries, keys, values] = graph.split(projected, width, 3) as [Name, Name, Name];
  const perHead = (name: Name, permutation: number[]) =>
    graph.op("Transpose", [graph.op("Reshape", [name, graph.integers([0, 0, heads, width / heads])])], {
      perm: { ints: permutation },
    });
  const scale = find(`${attention}mul/y`).values[0] as number;
  const scaled = graph.op("Mul", [perHead(queries, [0, 2, 1, 3]), graph.scalar(scale)]);
  const scores = graph.op("Add", [graph.op("MatMul", [scaled, perHead(keys, [0, 2, 3, 1])]), bias]);
  const shares = graph.op("Softmax", [scores], { axis: { int: -1 } });
  const context = graph.op("MatMul", [shares, perHead(values, [0, 2, 1, 3])]);
  const joined = graph.op("Reshape", [
    graph.op("Transpose", [context], { perm: { ints: [0, 2, 1, 3] } }),
    graph.integers([0, 0, width]),
  ]);
  const attended = graph.op("Add", [
    dense(
      graph,
      joined,
      find(`${attention}output_transform_single/kernel`),
      find(`${attention}output_transform_single/bias`),
    ),
    residual,
  ]);

  const inner = layerNorm(graph, attended, find, "FFN/layer_prepostprocess");
  const wide = graph.op("Relu", [dense(graph, inner, find("FFN/conv1/Tensordot/Reshape_1"), find("FFN/conv1/bias"))]);
  return graph.op("Add", [dense(graph, wide, find("FFN/conv2/Tensordot/Reshape_1"), find("FFN/conv2/bias")), attended]);
}

function layerNorm(graph: Graph, input: Name, find: (part: string) => Weight, part: string): Name {
  const scale = find(`${part}/layer_norm/layer_norm_scale`);
  const bias = find(`${part}/layer_norm/layer_norm_bias`);
  return graph.op(
    "LayerNormalization",
    [input, graph.floats(scale.values, scale.shape), graph.floats(bias.values, bias.shape)],
    { axis: { int: -1 }, epsilon: { float: 1e-6 } },
  );
}

/** A fully connected layer. The kernel may be published with leading dimensions of 1 (it was a convolution). */
function dense(graph: Graph, input: Name, kernel: Weight, bias: Weight): Name {
  const columns = quantised(kernel, "column");
  const matrix = graph.op(
    "DequantizeLinear",
    [graph.int8(columns.values, kernel.shape.slice(-2)), graph.floats(columns.scales, [columns.scales.length])],
    { axis: { int: 1 } },
  );
  return graph.op("Add", [graph.op("MatMul", [input, matrix]), graph.floats(bias.values, bias.shape)]);
}

/** Signed bytes with one scale a row or column: value = byte * scale, the largest magnitude being 127. */
function quantised(weight: Weight, by: "row" | "column"): { values: Int8Array; scales: Float32Array } {
  const columns = weight.shape.at(-1) as number;
  const rows = weight.values.length / columns;
  const groupOf = (index: number) => (by === "row" ? Math.floor(index / columns) : index % columns);
  const scales = new Float32Array(by === "row" ? rows : columns);
  weight.values.forEach((value, index) => {
    const group = groupOf(index);
    scales[group] = Math.max(scales[group] as number, Math.abs(value));
  });
  for (let group = 0; group < scales.length; group += 1) scales[group] = (scales[group] as number) / 127 || 1;
  const values = Int8Array.from(weight.values, (value, index) =>
    Math.round(value / (scales[groupOf(index)] as number)),
  );
  return { values, scales };
}

/** Nodes and constants in the making; values are named by number. */
class Graph {
  readonly nodes: Buffer[] = [];
  readonly tensors: Buffer[] = [];
  private names = 0;

  op(operator: string, inputs: Name[], attributes: Record<string, Attribute> = {}, output = this.name()): Name {
    this.nodes.push(node(operator, inputs, [output], attributes));
    return output;
  }

  /** Cuts the last of three dimensions into `parts` of `width`. */
  split(input: Name, width: number, parts: number): Name[] {
    const widths = this.integers(Array.from({ length: parts }, () => width));
    const outputs = Array.from({ length: parts }, () => this.name());
    this.nodes.push(node("Split", [input, widths], outputs, { axis: { int: 2 } }));
    return outputs;
  }

  scalar(value: number): Name {
    return this.floats(Float32Array.of(value), []);
  }

  floats(values: Float32Array, shape: readonly number[]): Name {
    return this.constant((name) => tensor(name, "float", shape, values));
  }

  int8(values: Int8Array, shape: readonly number[]): Name {
    return this.constant((name) => tensor(name, "int8", shape, values));
  }

  integers(values: number[], shape: readonly number[] = [values.length]): Name {
    return this.constant((name) => tensor(name, "int64", shape, BigInt64Array.from(values, BigInt)));
  }

  private constant(write: (name: Name) => Buffer): Name {
    const name = this.name();
    this.tensors.push(write(name));
    return name;
  }

  private name(): Name {
    this.names += 1;
    return `v${this.names}`;
  }
}

/**
 * A writer for the part of ONNX's protobuf format that a small model needs. Field numbers are those of onnx.proto3
 * (https://github.com/onnx/onnx/blob/main/onnx/onnx.proto3).
 */

/** The element types in use, as TensorProto.DataType numbers them. */
const elementTypes = { float: 1, int8: 3, int64: 7 } as const;
export type ElementType = keyof typeof elementTypes;

/** An attribute of a node: `int` and `ints` are whole numbers, `float` a 32-bit one. */
export type Attribute = { int: number } | { ints: readonly number[] } | { float: number };

export interface ValueInfo {
  readonly name: string;
  readonly type: ElementType;
  /** A named dimension may take any length. */
  readonly dimensions: readonly (number | string)[];
}

export function node(
  operator: string,
  inputs: readonly string[],
  outputs: readonly string[],
  attributes: Readonly<Record<string, Attribute>>,
): Buffer {
  return Buffer.concat([
    ...inputs.map((name) => text(1, name)),
    ...outputs.map((name) => text(2, name)),
    text(4, operator),
    ...Object.entries(attributes).map(([name, value]) => message(5, attribute(name, value))),
  ]);
}

export function tensor(
  name: string,
  type: ElementType,
  dimensions: readonly number[],
  values: Float32Array | Int8Array | BigInt64Array,
): Buffer {
  const raw = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
  return Buffer.concat([
    ...dimensions.map((length) => integer(1, length)),
    integer(2, elementTypes[type]),
    text(8, name),
    message(9, raw),
  ]);
}

export function model(graph: {
  nodes: readonly Buffer[];
  tensors: readonly Buffer[];
  inputs: readonly ValueInfo[];
  outputs: readonly ValueInfo[];
}): Buffer {
  const irVersion = 8;
  const operatorSet = 17;
  const graphProto = Buffer.concat([
    ...graph.nodes.map((each) => message(1, each)),
    text(2, "sentence-encoder"),
    ...graph.tensors.map((each) => message(5, each)),
    ...graph.inputs.map((each) => message(11, valueInfo(each))),
    ...graph.outputs.map((each) => message(12, valueInfo(each))),
  ]);
  return Buffer.concat([
    integer(1, irVersion),
    text(2, "awesim"),
    message(7, graphProto),
    message(8, Buffer.concat([text(1, ""), integer(2, operatorSet)])),
  ]);
}

function attribute(name: string, value: Attribute): Buffer {
  if ("float" in value) return Buffer.concat([text(1, name), float(2, value.float), integer(20, 1)]);
  if ("int" in value) return Buffer.concat([text(1, name), integer(3, value.int), integer(20, 2)]);
  return Buffer.concat([text(1, name), ...value.ints.map((each) => integer(8, each)), integer(20, 7)]);
}

function valueInfo({ name, type, dimensions }: ValueInfo): Buffer {
  const shape = dimensions.map((length) =>
    message(1, typeof length === "number" ? integer(1, length) : text(2, length)),
  );
  const tensorType = Buffer.concat([integer(1, elementTypes[type]), message(2, Buffer.concat(shape))]);
  return Buffer.concat([text(1, name), message(2, message(1, tensorType))]);
}

// Protobuf's wire types: 0 variable-length integer, 2 length-delimited, 5 four bytes.
const integer = (field: number, value: number): Buffer => Buffer.concat([varint(field << 3), varint(value)]);
const message = (field: number, body: Buffer): Buffer =>
  Buffer.concat([varint((field << 3) | 2), varint(body.length), body]);
const text = (field: number, value: string): Buffer => message(field, Buffer.from(value, "utf8"));

function float(field: number, value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return Buffer.concat([varint((field << 3) | 5), bytes]);
}

/** Seven bits a byte, lowest first; a negative number is written as its 64-bit two's complement. */
function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  do {
    const low = Number(rest & 127n);
    rest >>= 7n;
    bytes.push(rest === 0n ? low : low | 128);
  } while (rest !== 0n);
  return Buffer.from(bytes);
}

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EventQueue } from "../../src/kernel/queue.ts";

interface Entry {
  time: number;
  priority: number;
  sequence: number;
  handle: number;
}

/** The queue as a plain sorted list: what every operation is checked against. */
class SortedList {
  readonly entries: Entry[] = [];

  push(entry: Entry): void {
    this.entries.push(entry);
    this.entries.sort((a, b) => a.time - b.time || a.priority - b.priority || a.sequence - b.sequence);
  }

  cancel(handle: number): boolean {
    const index = this.entries.findIndex((entry) => entry.handle === handle);
    if (index >= 0) this.entries.splice(index, 1);
    return index >= 0;
  }
}

const operation = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("push" as const),
      time: fc.nat(20),
      priority: fc.integer({ min: -2, max: 2 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("cancel" as const), pick: fc.nat() }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("pop" as const) }) },
);

describe("order", () => {
  it("is that of a sorted list, whatever is pushed, cancelled and popped", () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 300 }), (operations) => {
        const queue = new EventQueue();
        const list = new SortedList();
        const handles: number[] = []; // all ever given, so that most picks late in a run are stale
        let popped = -1;
        const popBoth = () => {
          const expected = list.entries.shift();
          queue.pop()?.();
          expect(popped).toBe(expected?.sequence ?? -1);
          popped = -1;
        };
        for (const op of operations) {
          if (op.kind === "push") {
            const sequence = handles.length;
            const handle = queue.push(op.time, op.priority, () => (popped = sequence));
            handles.push(handle);
            list.push({ time: op.time, priority: op.priority, sequence, handle });
          } else if (op.kind === "pop") popBoth();
          else if (handles.length > 0) {
            const handle = handles[op.pick % handles.length]!;
            expect(queue.cancel(handle)).toBe(list.cancel(handle));
          }
          expect(queue.size).toBe(list.entries.length);
          expect(queue.peekTime()).toBe(list.entries[0]?.time ?? Infinity);
        }
        while (list.entries.length > 0) popBoth();
        expect(queue.pop()).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });

  it("is first in, first out at equal time and priority", () => {
    const queue = new EventQueue();
    const ran: number[] = [];
    for (let i = 0; i < 1000; i++) queue.push(5, 0, () => ran.push(i));
    while (queue.size > 0) queue.pop()!();
    expect(ran).toEqual(Array.from({ length: 1000 }, (_, i) => i));
  });

  it("puts the lower priority number first, to the ends of the range", () => {
    const queue = new EventQueue();
    const ran: number[] = [];
    for (const priority of [0, 511, -511, 1, -1]) queue.push(5, priority, () => ran.push(priority));
    while (queue.size > 0) queue.pop()!();
    expect(ran).toEqual([-511, -1, 0, 1, 511]);
  });
});

describe("handles", () => {
  it("are distinct, and stale ones are harmless even when their slot is in use again", () => {
    const queue = new EventQueue();
    const stale = new Set<number>();
    for (let i = 0; i < 10_000; i++) {
      const handle = queue.push(i, 0, () => {});
      expect(stale.has(handle)).toBe(false);
      stale.add(handle);
      if (i % 2 === 0) queue.pop();
      else expect(queue.cancel(handle)).toBe(true);
    }
    const live = queue.push(1, -3, () => {});
    for (const handle of stale) if (queue.cancel(handle)) expect.fail(`stale handle ${handle} cancelled something`);
    expect(queue.size).toBe(1);
    expect(queue.cancel(live)).toBe(true);
  });

  it("that never were cancel nothing", () => {
    const queue = new EventQueue();
    queue.push(1, 0, () => {});
    for (const handle of [-1, 0.5, NaN, Infinity, 2 ** 52, 12345]) expect(queue.cancel(handle)).toBe(false);
    expect(queue.size).toBe(1);
  });
});

it("holds a million pending events, with half of them and more cancelled", () => {
  const queue = new EventQueue();
  const n = 1_000_000;
  const handles = new Float64Array(n);
  let state = 1;
  for (let i = 0; i < n; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    handles[i] = queue.push(state % 100_000, 0, () => {});
  }
  expect(queue.size).toBe(n);
  for (let i = 0; i < n; i++) if (i % 3 !== 0) queue.cancel(handles[i]!);
  expect(queue.size).toBe(Math.ceil(n / 3));
  let last = -1;
  let popped = 0;
  let inOrder = true;
  while (queue.size > 0) {
    const time = queue.peekTime();
    inOrder &&= time >= last;
    last = time;
    queue.pop();
    popped++;
  }
  expect(inOrder).toBe(true);
  expect(popped).toBe(Math.ceil(n / 3));
});

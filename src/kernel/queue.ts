/** Names one scheduled event. A handle stays harmless after its event has run or been cancelled. */
export type EventHandle = number;

/** Priorities are integers in [-maxPriority, maxPriority]: (priority, sequence) then is exact in one float64. */
export const maxPriority = 511;

const rankStep = 2 ** 44; // sequence numbers a priority has
const slotLimit = 2 ** 24; // slots, and so pending events
const generations = 2 ** 29; // generation * slotLimit + slot stays below 2^53

/**
 * The pending events, ordered by (time, priority, sequence of the push): a binary heap in typed arrays.
 *
 * The heap holds pairs of time and slot. A slot holds an event's callback and its rank, which packs (priority,
 * sequence) into one number and is looked at only when times are equal; the free slots form a list through their
 * ranks. A cancelled event leaves a tombstone, a pair whose slot has no callback, which goes when it reaches the
 * top, or with all others when more than half of the heap is tombstones. The top is never a tombstone.
 */
export class EventQueue {
  private heap = new Float64Array(128); // times at even places, slots at odd ones: the two children share a cache line
  private length = 0; // pairs in the heap
  private tombstones = 0;
  private sequence = 0;
  private readonly callbacks: ((() => void) | undefined)[] = []; // by slot
  private ranks = new Float64Array(64); // by slot; in a free slot the next free one
  private firstFree = slotLimit; // slotLimit: none

  /** The number of events that will run: tombstones are not counted. */
  get size(): number {
    return this.length - this.tombstones;
  }

  /** The time of the next event, Infinity when there is none. */
  peekTime(): number {
    return this.length === 0 ? Infinity : this.heap[0]!;
  }

  /** Takes any finite time and an integer priority in [-511, 511], lower first. At most 2^24 events can be pending. */
  push(time: number, priority: number, callback: () => void): EventHandle {
    let slot = this.firstFree;
    if (slot === slotLimit) slot = this.addSlot();
    else this.firstFree = this.ranks[slot]! | 0;
    const sequence = this.sequence++;
    this.callbacks[slot] = callback;
    this.ranks[slot] = priority * rankStep + sequence;
    this.siftUp(this.length++, 0, time, slot);
    return (sequence % generations) * slotLimit + slot;
  }

  /** Removes the next event and returns its callback, undefined when there is none. */
  pop(): (() => void) | undefined {
    if (this.length === 0) return undefined;
    const callback = this.callbacks[this.heap[1]! | 0];
    this.removeTop();
    this.clearTop(); // even without tombstones: looking at the next callback now fetches it from memory meanwhile
    return callback;
  }

  /** True if the event was pending, false if it has run, was cancelled before, or never was. */
  cancel(handle: EventHandle): boolean {
    const slot = handle % slotLimit;
    if (this.callbacks[slot] === undefined) return false;
    const sequence = this.ranks[slot]! - Math.floor(this.ranks[slot]! / rankStep) * rankStep;
    if ((sequence % generations) * slotLimit + slot !== handle) return false;
    this.callbacks[slot] = undefined;
    this.tombstones++;
    if (this.tombstones * 2 > this.length) this.compact();
    else this.clearTop();
    return true;
  }

  private addSlot(): number {
    const slot = this.callbacks.length;
    if (slot === slotLimit) throw new RangeError(`at most ${slotLimit} events can be pending`);
    this.callbacks.push(undefined);
    if (slot === this.ranks.length) {
      this.ranks = enlarged(this.ranks);
      this.heap = enlarged(this.heap);
    }
    return slot;
  }

  private freeSlot(slot: number): void {
    this.callbacks[slot] = undefined;
    this.ranks[slot] = this.firstFree;
    this.firstFree = slot;
  }

  private removeTop(): void {
    const { heap } = this;
    this.freeSlot(heap[1]! | 0);
    const last = --this.length;
    if (last > 0) this.siftDown(0, heap[2 * last]!, heap[2 * last + 1]! | 0);
  }

  private clearTop(): void {
    while (this.length > 0 && typeof this.callbacks[this.heap[1]! | 0] !== "function") {
      this.tombstones--;
      this.removeTop();
    }
  }

  private compact(): void {
    const { heap } = this;
    let kept = 0;
    for (let i = 0; i < this.length; i++) {
      const slot = heap[2 * i + 1]! | 0;
      if (this.callbacks[slot] === undefined) {
        this.freeSlot(slot);
        continue;
      }
      heap[2 * kept] = heap[2 * i]!;
      heap[2 * kept++ + 1] = slot;
    }
    this.length = kept;
    this.tombstones = 0;
    for (let i = (kept >> 1) - 1; i >= 0; i--) this.siftDown(i, heap[2 * i]!, heap[2 * i + 1]! | 0);
  }

  /** Puts an event into the hole, moving the hole up, at most to `top`, until its parent comes before the event. */
  private siftUp(hole: number, top: number, time: number, slot: number): void {
    const { heap, ranks } = this;
    while (hole > top) {
      const parent = (hole - 1) >> 1;
      const parentTime = heap[2 * parent]!;
      const parentSlot = heap[2 * parent + 1]! | 0;
      if (parentTime < time || (parentTime === time && ranks[parentSlot]! < ranks[slot]!)) break;
      heap[2 * hole] = parentTime;
      heap[2 * hole + 1] = parentSlot;
      hole = parent;
    }
    heap[2 * hole] = time;
    heap[2 * hole + 1] = slot;
  }

  /**
   * Puts an event into the hole at `top` or below: moves the hole down to a leaf, always to the earlier child, then
   * up again as far as needed. The event comes from the bottom, so it seldom rises; this way the only comparison that
   * the processor cannot foresee is the choice of the child, and that is arithmetic instead of a jump.
   */
  private siftDown(top: number, time: number, slot: number): void {
    const { heap, ranks, length } = this;
    let hole = top;
    let child = 2 * hole + 1;
    while (child < length) {
      if (child + 1 < length) {
        const left = heap[2 * child]!;
        const right = heap[2 * child + 2]!;
        if (left === right) child += Number(ranks[heap[2 * child + 3]! | 0]! < ranks[heap[2 * child + 1]! | 0]!) | 0;
        else child += Number(right < left) | 0;
      }
      heap[2 * hole] = heap[2 * child]!;
      heap[2 * hole + 1] = heap[2 * child + 1]!;
      hole = child;
      child = 2 * hole + 1;
    }
    this.siftUp(hole, top, time, slot);
  }
}

function enlarged(array: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(array.length * 2);
  larger.set(array);
  return larger;
}

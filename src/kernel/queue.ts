/** Names one scheduled event. A handle stays harmless after its event has run or been cancelled. */
export type EventHandle = number;

const slotBits = 2 ** 24;
const generations = 2 ** 29; // generation * slotBits + slot stays an exact integer, below 2^53
const rankStep = 2 ** 44; // sequence numbers of one priority
const none = 0xffffffff;

/** Priorities are integers in [-maxPriority, maxPriority], so that (priority, sequence) is exact in one float64. */
export const maxPriority = 511;

/**
 * The pending events, ordered by (time, priority, sequence of the push): a binary heap in typed arrays.
 *
 * The heap holds keys and slot numbers; the callbacks lie in slots, which a free list hands out again. A cancelled
 * event leaves a tombstone, its key without a callback, which goes when it reaches the top, or with all others when
 * more than half of the heap is tombstones. The top is never a tombstone.
 */
export class EventQueue {
  private length = 0;
  private tombstones = 0;
  private sequence = 0;
  private times = new Float64Array(64);
  private ranks = new Float64Array(64); // priority * rankStep + sequence
  private slots = new Uint32Array(64);

  private readonly callbacks: ((() => void) | undefined)[] = [];
  private generation = new Uint32Array(64); // by slot: how often the slot has been given up, plus 1
  private nextFree = new Uint32Array(64);
  private firstFree = none;

  /** The number of events that will run: tombstones are not counted. */
  get size(): number {
    return this.length - this.tombstones;
  }

  /** The time of the next event in ms, Infinity when there is none. */
  peekTime(): number {
    return this.length === 0 ? Infinity : this.times[0]!;
  }

  /** Takes any finite time; priority an integer in [-511, 511], lower first. At most 2^24 events can be pending. */
  push(time: number, priority: number, callback: () => void): EventHandle {
    if (this.length === this.times.length) this.grow();
    const slot = this.takeSlot(callback);
    this.siftUp(this.length++, time, priority * rankStep + this.sequence++, slot);
    return this.generation[slot]! * slotBits + slot;
  }

  /** Removes the next event and returns its callback, undefined when there is none. */
  pop(): (() => void) | undefined {
    if (this.length === 0) return undefined;
    const slot = this.slots[0]!;
    const callback = this.callbacks[slot];
    this.freeSlot(slot);
    this.removeTop();
    if (this.tombstones > 0) this.clearTop();
    return callback;
  }

  /** True if the event was pending, false if it has run, was cancelled before, or never was. */
  cancel(handle: EventHandle): boolean {
    const slot = handle % slotBits;
    if (this.callbacks[slot] === undefined || this.generation[slot] !== (handle - slot) / slotBits) return false;
    this.callbacks[slot] = undefined;
    this.tombstones++;
    if (this.tombstones * 2 > this.length) this.compact();
    else this.clearTop();
    return true;
  }

  private takeSlot(callback: () => void): number {
    let slot = this.firstFree;
    if (slot === none) {
      slot = this.callbacks.length;
      if (slot === slotBits) throw new RangeError(`at most ${slotBits} events can be pending`);
      this.callbacks.push(callback);
      this.generation[slot] = 1;
    } else {
      this.firstFree = this.nextFree[slot]!;
      this.callbacks[slot] = callback;
    }
    return slot;
  }

  private freeSlot(slot: number): void {
    this.callbacks[slot] = undefined;
    this.generation[slot] = (this.generation[slot]! + 1) % generations;
    this.nextFree[slot] = this.firstFree;
    this.firstFree = slot;
  }

  private clearTop(): void {
    while (this.length > 0 && this.callbacks[this.slots[0]!] === undefined) {
      this.tombstones--;
      this.freeSlot(this.slots[0]!);
      this.removeTop();
    }
  }

  private removeTop(): void {
    const last = --this.length;
    if (last > 0) this.siftDown(0, this.times[last]!, this.ranks[last]!, this.slots[last]!);
  }

  private compact(): void {
    let kept = 0;
    for (let i = 0; i < this.length; i++) {
      const slot = this.slots[i]!;
      if (this.callbacks[slot] === undefined) {
        this.freeSlot(slot);
        continue;
      }
      this.times[kept] = this.times[i]!;
      this.ranks[kept] = this.ranks[i]!;
      this.slots[kept++] = slot;
    }
    this.length = kept;
    this.tombstones = 0;
    for (let i = (kept >> 1) - 1; i >= 0; i--) this.siftDown(i, this.times[i]!, this.ranks[i]!, this.slots[i]!);
  }

  private siftUp(start: number, time: number, rank: number, slot: number): void {
    const { times, ranks, slots } = this;
    let i = start;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      const parentTime = times[parent]!;
      if (parentTime < time || (parentTime === time && ranks[parent]! < rank)) break;
      times[i] = parentTime;
      ranks[i] = ranks[parent]!;
      slots[i] = slots[parent]!;
      i = parent;
    }
    times[i] = time;
    ranks[i] = rank;
    slots[i] = slot;
  }

  private siftDown(start: number, time: number, rank: number, slot: number): void {
    const { times, ranks, slots, length } = this;
    const firstLeaf = length >> 1;
    let i = start;
    while (i < firstLeaf) {
      let child = 2 * i + 1;
      let childTime = times[child]!;
      const right = child + 1;
      if (right < length) {
        const rightTime = times[right]!;
        if (rightTime < childTime || (rightTime === childTime && ranks[right]! < ranks[child]!)) {
          child = right;
          childTime = rightTime;
        }
      }
      if (time < childTime || (time === childTime && rank < ranks[child]!)) break;
      times[i] = childTime;
      ranks[i] = ranks[child]!;
      slots[i] = slots[child]!;
      i = child;
    }
    times[i] = time;
    ranks[i] = rank;
    slots[i] = slot;
  }

  private grow(): void {
    this.times = enlarged(this.times, new Float64Array(this.times.length * 2));
    this.ranks = enlarged(this.ranks, new Float64Array(this.ranks.length * 2));
    this.slots = enlarged(this.slots, new Uint32Array(this.slots.length * 2));
    this.generation = enlarged(this.generation, new Uint32Array(this.generation.length * 2));
    this.nextFree = enlarged(this.nextFree, new Uint32Array(this.nextFree.length * 2));
  }
}

function enlarged<A extends Float64Array | Uint32Array>(from: A, to: A): A {
  to.set(from);
  return to;
}

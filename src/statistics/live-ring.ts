/** The last `size` items put in, in constant memory. */
export class Ring<Item> {
  readonly #items: Item[] = [];
  readonly #size: number;
  #next = 0;

  constructor(size: number) {
    this.#size = size;
  }

  /** Puts an item in and returns the one it pushes out, if any. */
  push(item: Item): Item | undefined {
    const out = this.#items[this.#next];
    this.#items[this.#next] = item;
    this.#next = this.#next + 1 === this.#size ? 0 : this.#next + 1;
    return out;
  }

  /** The items, oldest first. */
  items(): Item[] {
    return [...this.#items.slice(this.#next), ...this.#items.slice(0, this.#next)];
  }
}

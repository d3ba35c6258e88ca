/** A map that forgets its oldest entries: what is made from a text is kept for as long as there is room. */
export class BoundedCache<K, V> {
  readonly #entries = new Map<K, V>();
  readonly #room: number;

  constructor(room: number) {
    this.#room = room;
  }

  get(key: K, make: (key: K) => V): V {
    const found = this.#entries.get(key);
    if (found !== undefined) return found;
    const made = make(key);
    if (this.#entries.size >= this.#room) this.#entries.delete(this.#entries.keys().next().value as K);
    this.#entries.set(key, made);
    return made;
  }
}

import type { Neighbour } from "./exact-search.ts";

/** The `k` best of the rows it is offered: greatest score first, ties by row. */
export class BestRows {
  private readonly rows: Neighbour[] = [];

  constructor(private readonly k: number) {}

  offer(row: number, score: number): void {
    const { rows, k } = this;
    if (rows.length === k) {
      if (k === 0 || !isBefore(row, score, rows[k - 1] as Neighbour)) return;
      rows.pop();
    }
    let place = rows.length;
    while (place > 0 && isBefore(row, score, rows[place - 1] as Neighbour)) place -= 1;
    rows.splice(place, 0, { row, score });
  }

  list(): Neighbour[] {
    return this.rows;
  }
}

function isBefore(row: number, score: number, other: Neighbour): boolean {
  return score > other.score || (score === other.score && row < other.row);
}

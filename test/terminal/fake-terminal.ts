import { EventEmitter } from "node:events";

/** A terminal to write to that keeps what it was sent. */
export class FakeOutput extends EventEmitter {
  readonly isTTY = true;
  readonly writable = true;
  columns: number;
  rows: number;
  text = "";

  constructor(columns: number, rows: number) {
    super();
    this.columns = columns;
    this.rows = rows;
  }

  write(text: string): boolean {
    this.text += text;
    return true;
  }

  resize(columns: number, rows: number): void {
    this.columns = columns;
    this.rows = rows;
    this.emit("resize");
  }
}

/** A keyboard. */
export class FakeInput extends EventEmitter {
  readonly isTTY: boolean;
  raw = false;
  #pending: string | null = null;

  constructor(isTTY: boolean) {
    super();
    this.isTTY = isTTY;
  }

  press(keys: string): void {
    this.#pending = keys;
    this.emit("readable");
  }

  read(): string | null {
    const keys = this.#pending;
    this.#pending = null;
    return keys;
  }

  setRawMode(raw: boolean): void {
    this.raw = raw;
  }

  setEncoding(): void {}
  ref(): void {}
  unref(): void {}
}

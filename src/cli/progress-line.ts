import type { Progress } from "../retrieval/progress.ts";

/** Least real time between two updates, on a terminal and elsewhere, in ms. */
const terminalEveryMs = 100;
const plainEveryMs = 5000;

/** Shows long preparations on stderr: a line that renews itself on a terminal, a plain line every few seconds elsewhere. */
export function progressLine(stream: NodeJS.WriteStream): { progress: Progress; end: () => void } {
  const every = stream.isTTY ? terminalEveryMs : plainEveryMs;
  let label = "";
  let startMs = 0;
  let shownMs = Date.now();
  let isOpen = false;
  const end = (): void => {
    if (isOpen) stream.write("\n");
    isOpen = false;
  };
  const progress: Progress = (done, total, of) => {
    const now = Date.now();
    if (of !== label) {
      end();
      label = of;
      startMs = now;
    }
    const isLast = total !== null && done >= total;
    if (now - shownMs < every && !(isLast && isOpen)) return;
    shownMs = now;
    const text = progressText(label, done, total, now - startMs);
    if (stream.isTTY) {
      stream.write(`\r\x1b[2K${text}`);
      isOpen = true;
      if (isLast) end();
    } else {
      stream.write(`${text}\n`);
    }
  };
  return { progress, end };
}

function progressText(label: string, done: number, total: number | null, elapsedMs: number): string {
  const rate = elapsedMs > 0 ? (done / elapsedMs) * 1000 : 0;
  const rateText = rate > 0 ? `, ${Math.round(rate)}/s` : "";
  if (total === null) return `${label}: ${done}${rateText}`;
  const left = rate > 0 ? `, ${Math.ceil((total - done) / rate)} s left` : "";
  const share = total === 0 ? 100 : Math.floor((100 * done) / total);
  return `${label}: ${bar(share)} ${done}/${total}${rateText}${done < total ? left : ""}`;
}

function bar(percent: number): string {
  const filled = Math.round(percent / 5);
  return `[${"=".repeat(filled)}${" ".repeat(20 - filled)}] ${percent} %`;
}

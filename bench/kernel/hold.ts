/**
 * The hold model: N pending events, each of which, when it runs, schedules itself again after an exponential time.
 * Measures the kernel through its public API against SimPy (Debian's python3-simpy3) on the same model, in
 * alternating pairs. Rates are by processor time (the garbage collector's threads included), so that other work on
 * the machine disturbs them less. Usage: npx tsx bench/kernel/hold.ts
 */
import { execFileSync } from "node:child_process";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { Kernel } from "../../src/kernel/kernel.ts";
import { Streams } from "../../src/kernel/random.ts";

const meanMs = 1_000_000;
const pairs = 7;
const python = "/usr/bin/python3";
const script = fileURLToPath(new URL("hold.py", import.meta.url));

/** Events a second of processor time with `pending` events, after a warm-up. */
async function measureKernel(pending: number, events: number): Promise<number> {
  const kernel = new Kernel();
  const stream = new Streams(1, 0).stream("hold", "all");
  for (let i = 0; i < pending; i++) {
    const hold = (): void => void kernel.after(Math.round(stream.exponential(meanMs)), hold); // each has its own
    hold();
  }
  const spanMs = Math.round((events * meanMs) / pending);
  await kernel.runUntil(Math.round(spanMs / 10));
  const before = kernel.executed;
  const started = process.cpuUsage();
  await kernel.runUntil(kernel.now + spanMs);
  const { user, system } = process.cpuUsage(started);
  return (kernel.executed - before) / ((user + system) / 1e6);
}

function measureSimPy(pending: number, events: number): { rate: number; versions: string } {
  return JSON.parse(execFileSync(python, [script, String(pending), String(events)], { encoding: "utf8" }));
}

function spread(values: number[]): { median: number; low: number; high: number } {
  const sorted = values.toSorted((a, b) => a - b);
  return { median: sorted[sorted.length >> 1]!, low: sorted[0]!, high: sorted.at(-1)! };
}

const rateText = (values: number[]): string => {
  const { median, low, high } = spread(values);
  return [median, low, high].map((rate) => `${(rate / 1e6).toFixed(2)} M`).join(" / ");
};

console.log(
  `${cpus()[0]?.model ?? "unknown processor"}, ${cpus().length} cores, ${process.platform}, Node ${process.version}`,
);
console.log(measureSimPy(10, 1000).versions);
console.log(
  `hold model, mean ${meanMs} ms, ${pairs} alternating pairs; events a second of processor time: median / lowest / highest`,
);
for (const pending of [1e3, 1e5]) {
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    ours.push(await measureKernel(pending, 1e6));
    theirs.push(measureSimPy(pending, 2e5).rate);
  }
  const ratio = spread(ours.map((rate, pair) => rate / theirs[pair]!));
  console.log(`${pending} pending: kernel ${rateText(ours)}; SimPy ${rateText(theirs)}`);
  console.log(`  ratio ${ratio.median.toFixed(1)} (${ratio.low.toFixed(1)} to ${ratio.high.toFixed(1)})`);
}
const million: number[] = [];
for (let run = 0; run < 3; run++) million.push(await measureKernel(1e6, 1e6));
console.log(`1000000 pending: kernel ${rateText(million)}`);

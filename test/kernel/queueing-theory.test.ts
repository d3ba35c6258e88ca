import { expect, it } from "vitest";
import { Kernel } from "../../src/kernel/kernel.ts";
import { Streams } from "../../src/kernel/random.ts";
import { erlangWait, moments } from "./theory.ts";

const meanServiceMs = 10_000;
const replications = 20;
const tQuantile = 2.093; // 97.5 %, 19 degrees of freedom

/** Mean wait in ms of the customers who arrive after the warm-up in one replication of an M/M/c queue. */
async function meanWait(servers: number, load: number, replication: number, customers: number): Promise<number> {
  const kernel = new Kernel();
  const streams = new Streams(`M/M/${servers} at ${load}`, replication); // systems that share no draws
  const arrivals = streams.stream("arrivals", "all");
  const services = streams.stream("services", "all");
  const warmUp = customers / 10;
  const queue: number[] = []; // the arrival times of those who wait
  let head = 0;
  let busy = 0;
  let arrived = 0;
  let served = 0;
  let totalWait = 0;

  const serve = (arrivedMs: number) => {
    busy++;
    if (served++ >= warmUp) totalWait += kernel.now - arrivedMs;
    kernel.after(Math.round(services.exponential(meanServiceMs)), leave);
  };
  const leave = () => {
    busy--;
    if (head < queue.length) serve(queue[head++]!);
  };
  const arrive = () => {
    if (busy < servers) serve(kernel.now);
    else queue.push(kernel.now);
    if (++arrived < customers) kernel.after(Math.round(arrivals.exponential(meanServiceMs / (servers * load))), arrive);
  };
  kernel.at(0, arrive);
  await kernel.runUntil(customers * meanServiceMs * 10);
  expect([served, kernel.pending]).toEqual([customers, 0]);
  return totalWait / (customers - warmUp);
}

it("Erlang C agrees with known values", () => {
  expect(erlangWait(1, 0.5)).toBeCloseTo(1, 12);
  expect(erlangWait(1, 0.9)).toBeCloseTo(9, 12);
  expect(erlangWait(2, 0.75)).toBeCloseTo(9 / 7, 12); // M/M/2: load^2 / (1 - load^2)
});

it.each([
  [1, 0.5, 20_000],
  [1, 0.7, 30_000],
  [1, 0.9, 100_000],
  [3, 0.5, 20_000],
  [3, 0.7, 30_000],
  [3, 0.9, 100_000],
])("M/M/%d at load %d: theory's mean wait lies within the interval of 95 percent", async (servers, load, customers) => {
  const means: number[] = [];
  for (let i = 0; i < replications; i++) means.push(await meanWait(servers, load, i, customers));
  const { mean, variance } = moments(means);
  const halfWidth = tQuantile * Math.sqrt(variance / replications);
  const theory = erlangWait(servers, load) * meanServiceMs;
  expect(Math.abs(mean - theory), `${mean} ± ${halfWidth} ms against ${theory} ms`).toBeLessThan(halfWidth);
  expect(halfWidth / theory).toBeLessThan(0.1); // an interval that excludes something
});

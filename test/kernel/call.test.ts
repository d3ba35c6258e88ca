import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { Kernel } from "../../src/kernel/kernel.ts";
import { Streams } from "../../src/kernel/random.ts";

/** A promise settled by hand, as a server would settle it. */
function deferred<T>() {
  let resolve!: (value: T) => void;
  let reject!: (reason: Error) => void;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

describe("a call", () => {
  it("delivers its answer after its virtual duration, whether plain, ready or still to come", async () => {
    const kernel = new Kernel();
    const got: [number, string][] = [];
    const note = (answer: string) => got.push([kernel.now, answer]);
    const slow = deferred<string>();
    kernel.call(30, "plain", note);
    kernel.call(20, Promise.resolve("ready"), note);
    kernel.call(10, slow.promise, note);
    kernel.at(10, () => note("event after the call"));
    setTimeout(() => slow.resolve("slow"), 20);
    await kernel.runUntil(100);
    expect(got).toEqual([
      [10, "slow"],
      [10, "event after the call"],
      [20, "ready"],
      [30, "plain"],
    ]);
    expect(kernel.executed).toBe(4);
  });

  it("lets virtual time stand still while its answer is missing, and not before it is due", async () => {
    const kernel = new Kernel();
    const answer = deferred<number>();
    let ran = 0;
    kernel.call(50, answer.promise, () => ran++);
    for (const time of [10, 49, 51]) kernel.at(time, () => ran++);
    const run = kernel.runUntil(100);
    for (let i = 0; i < 5; i++) await turn();
    expect([kernel.now, ran]).toEqual([50, 2]);
    answer.resolve(1);
    await run;
    expect([kernel.now, ran]).toEqual([100, 4]);
  });

  it("costs no turn when the answer is there: the run stays synchronous", async () => {
    const kernel = new Kernel();
    const answer = Promise.resolve(7);
    let got = 0;
    kernel.call(5, answer, (value) => (got = value));
    await answer;
    const run = kernel.runUntil(10);
    expect([got, kernel.now]).toEqual([7, 10]); // before anything is awaited
    await run;
  });
});

it("64 calls that overlap are all in flight at once and complete in virtual order, whatever the real order", async () => {
  const complete = async (realOrder: number[]) => {
    const kernel = new Kernel();
    const server = Array.from({ length: 64 }, () => deferred<number>());
    const durations = Array.from({ length: 64 }, (_, i) => 1000 + ((i * 37) % 64));
    const order: number[] = [];
    let inFlight = 0;
    let most = 0;
    for (let i = 0; i < 64; i++) {
      kernel.at(i, () => {
        most = Math.max(most, ++inFlight);
        kernel.call(durations[i]!, server[i]!.promise, (answer) => {
          inFlight--;
          order.push(answer);
        });
      });
    }
    const run = kernel.runUntil(5000);
    await turn();
    expect([most, inFlight, order.length]).toEqual([64, 64, 0]); // no answer was needed to issue them all
    for (const i of realOrder) {
      server[i]!.resolve(i);
      await turn();
    }
    await run;
    // At one instant the call issued first comes first: sort is stable.
    const due = (i: number) => i + durations[i]!;
    expect(order).toEqual(Array.from({ length: 64 }, (_, i) => i).sort((a, b) => due(a) - due(b)));
    return order;
  };
  const forward = Array.from({ length: 64 }, (_, i) => i);
  const first = await complete(forward);
  expect(await complete(forward.toReversed())).toEqual(first);
  expect(await complete(new Streams(3, 0).stream("real order", "server").shuffle([...forward]))).toEqual(first);
});

describe("a rejection", () => {
  it("makes runUntil reject when the call is due, early or late, and the run can go on", async () => {
    const kernel = new Kernel();
    const late = deferred<number>();
    const never = () => expect.fail("there was no answer");
    kernel.call(10, Promise.reject(new Error("early")), never);
    kernel.call(20, late.promise, never);
    let ran = 0;
    kernel.at(5, () => ran++);
    kernel.at(30, () => ran++);
    for (let i = 0; i < 3; i++) await turn(); // an unhandled rejection would be reported by now and fail this file
    await expect(kernel.runUntil(100)).rejects.toThrow("early");
    expect([kernel.now, ran]).toEqual([10, 1]);
    setImmediate(() => late.reject(new Error("late")));
    await expect(kernel.runUntil(100)).rejects.toThrow("late");
    expect([kernel.now, ran]).toEqual([20, 1]);
    await kernel.runUntil(100);
    expect([kernel.now, ran]).toEqual([100, 2]);
  });

  it("of a cancelled call does nothing", async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on("unhandledRejection", note);
    const kernel = new Kernel();
    const late = deferred<number>();
    const handle = kernel.call(10, late.promise, () => expect.fail("was cancelled"));
    expect(kernel.cancel(handle)).toBe(true);
    await kernel.runUntil(50);
    late.reject(new Error("nobody waits"));
    for (let i = 0; i < 3; i++) await turn();
    process.off("unhandledRejection", note);
    expect([kernel.now, kernel.executed, unhandled]).toEqual([50, 0, []]);
  });

  it("by `done` itself is an event's exception", async () => {
    const kernel = new Kernel();
    const late = deferred<number>();
    kernel.call(10, late.promise, () => {
      throw new Error("broken done");
    });
    kernel.at(11, () => {});
    setImmediate(() => late.resolve(1));
    await expect(kernel.runUntil(50)).rejects.toThrow("broken done");
    await kernel.runUntil(50);
    expect([kernel.now, kernel.executed]).toEqual([50, 2]);
  });
});

describe("A missing answer", () => {
  it("gives a turn once it is there, however few events have run", async () => {
    let turns = 0;
    const kernel = new Kernel({ turn: async () => void turns++ });
    const answers: number[] = [];
    for (const n of [1, 2, 3])
      kernel.call(
        n,
        turn().then(() => n),
        (answer) => answers.push(answer),
      );
    await kernel.runUntil(10);
    expect(answers).toEqual([1, 2, 3]);
    expect(turns).toBeGreaterThanOrEqual(1);
    expect(turns).toBeLessThanOrEqual(3);
  });
});

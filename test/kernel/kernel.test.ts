import { describe, expect, it } from "vitest";
import { Kernel } from "../../src/kernel/kernel.ts";

describe("times", () => {
  it("that are no integers, negative, not finite or past are errors that say the value", async () => {
    const kernel = new Kernel();
    await kernel.runUntil(100);
    for (const delay of [1.5, -1, NaN, Infinity, 2 ** 53]) {
      expect(() => kernel.after(delay, () => {})).toThrow(`got ${delay}`);
      expect(() => kernel.call(delay, 1, () => {})).toThrow(`got ${delay}`);
    }
    for (const time of [99, 100.5, -5, NaN, Infinity]) {
      expect(() => kernel.at(time, () => {})).toThrow(`got ${time}`);
      await expect(kernel.runUntil(time)).rejects.toThrow(`got ${time}`);
    }
    for (const priority of [0.5, 512, -512, NaN]) {
      expect(() => kernel.at(200, () => {}, priority)).toThrow(`got ${priority}`);
    }
    expect(() => new Kernel({ turnEvery: 0 })).toThrow("got 0");
    expect(kernel.pending).toBe(0);
  });

  it("may be now", async () => {
    const kernel = new Kernel();
    await kernel.runUntil(100);
    kernel.at(100, () => {});
    await kernel.runUntil(100);
    expect(kernel.executed).toBe(1);
  });
});

describe("runUntil", () => {
  it("runs what is due up to and including its time, and leaves the clock there", async () => {
    const kernel = new Kernel();
    const ran: number[] = [];
    for (const time of [30, 10, 20, 21]) kernel.at(time, () => ran.push(kernel.now));
    await kernel.runUntil(20);
    expect([ran, kernel.now, kernel.pending, kernel.executed]).toEqual([[10, 20], 20, 2, 2]);
    await kernel.runUntil(1000);
    expect([ran, kernel.now, kernel.pending]).toEqual([[10, 20, 21, 30], 1000, 0]);
  });

  it("runs what events schedule at their own instant in the same instant, in order", async () => {
    const kernel = new Kernel();
    const ran: string[] = [];
    kernel.at(5, () => {
      ran.push("first");
      kernel.after(0, () => ran.push("later"), 1);
      kernel.after(0, () => {
        ran.push("nested");
        kernel.at(5, () => ran.push("nested twice"));
      });
      kernel.after(0, () => ran.push("urgent"), -1);
    });
    kernel.at(5, () => ran.push("second"));
    kernel.at(6, () => ran.push("next"));
    await kernel.runUntil(5);
    expect(ran).toEqual(["first", "urgent", "second", "nested", "nested twice", "later"]);
  });

  it("rejects with an event's exception and can go on", async () => {
    const kernel = new Kernel();
    const ran: number[] = [];
    kernel.at(1, () => ran.push(1));
    kernel.at(2, () => {
      throw new Error("broken event");
    });
    kernel.at(2, () => ran.push(2));
    await expect(kernel.runUntil(10)).rejects.toThrow("broken event");
    expect([kernel.now, kernel.executed, kernel.pending, ran]).toEqual([2, 2, 1, [1]]);
    await kernel.runUntil(10);
    expect([kernel.now, kernel.executed, kernel.pending, ran]).toEqual([10, 3, 0, [1, 2]]);
  });

  it("cannot run twice at once", async () => {
    const kernel = new Kernel({ turnEvery: 1 });
    kernel.at(1, () => {});
    const first = kernel.runUntil(5);
    await expect(kernel.runUntil(5)).rejects.toThrow("already running");
    await first;
    expect(kernel.now).toBe(5);
  });

  it("gives a turn every so many events, counted across runs, and none otherwise", async () => {
    const turns: number[] = [];
    const kernel = new Kernel({ turnEvery: 4, turn: async () => void turns.push(kernel.executed) });
    for (let time = 1; time <= 18; time++) kernel.at(time, () => {});
    await kernel.runUntil(6);
    await kernel.runUntil(18);
    expect(turns).toEqual([4, 8, 12, 16]);
  });

  it("gives the event loop a real turn by default", async () => {
    const kernel = new Kernel({ turnEvery: 10 });
    let sawEvents = -1;
    setImmediate(() => (sawEvents = kernel.executed));
    for (let time = 0; time < 100; time++) kernel.at(time, () => {});
    await kernel.runUntil(100);
    expect(sawEvents).toBe(10);
  });
});

describe("stop", () => {
  it("ends the run after the current event, for good", async () => {
    const kernel = new Kernel();
    kernel.at(3, () => kernel.stop());
    kernel.at(3, () => expect.fail("ran after stop"));
    await kernel.runUntil(10);
    await kernel.runUntil(20);
    expect([kernel.stopped, kernel.now, kernel.executed, kernel.pending]).toEqual([true, 3, 1, 1]);
  });

  it("does not wait for an answer that never comes", async () => {
    const kernel = new Kernel();
    kernel.call(5, new Promise(() => {}), () => expect.fail("there was no answer"));
    setImmediate(() => kernel.stop());
    await kernel.runUntil(10);
    expect([kernel.stopped, kernel.now]).toEqual([true, 5]);
  });
});

it("cancels: what is cancelled does not run, and what has run cannot be cancelled", async () => {
  const kernel = new Kernel();
  const ran: string[] = [];
  const early = kernel.at(1, () => ran.push("early"));
  const late = kernel.at(9, () => ran.push("late"));
  kernel.at(5, () => {
    expect(kernel.cancel(early)).toBe(false);
    expect(kernel.cancel(late)).toBe(true);
    expect(kernel.cancel(late)).toBe(false);
  });
  const itself: number = kernel.at(6, () => expect(kernel.cancel(itself)).toBe(false));
  await kernel.runUntil(10);
  expect([ran, kernel.pending]).toEqual([["early"], 0]);
});

import { expect, it } from "vitest";
import { assign, createActor, setup } from "xstate";
import { Kernel, kernelClock } from "../../src/kernel/kernel.ts";

it("fires a delay that reschedules itself at exactly 10, 20, 30", async () => {
  const kernel = new Kernel();
  const fired: number[] = [];
  const machine = setup({}).createMachine({
    initial: "waiting",
    states: {
      waiting: { after: { 10: { target: "waiting", reenter: true, actions: () => fired.push(kernel.now) } } },
    },
  });
  createActor(machine, { clock: kernelClock(kernel) }).start();
  await kernel.runUntil(35);
  expect(fired).toEqual([10, 20, 30]);
});

it("drops a delay when its state is left, and rounds a fraction of a ms up", async () => {
  const kernel = new Kernel();
  const machine = setup({
    types: { events: {} as { type: "answer" }, context: {} as { timedOutMs: number } },
  }).createMachine({
    context: { timedOutMs: -1 },
    initial: "asking",
    states: {
      asking: { after: { 100: "timedOut" }, on: { answer: "answered" } },
      answered: { after: { 7.2: "timedOut" } },
      timedOut: { entry: assign({ timedOutMs: () => kernel.now }), type: "final" },
    },
  });
  const actor = createActor(machine, { clock: kernelClock(kernel) }).start();
  kernel.at(40, () => actor.send({ type: "answer" }));
  await kernel.runUntil(40);
  expect(kernel.pending).toBe(1); // the time-out of 100 ms is gone
  await kernel.runUntil(1000);
  expect(actor.getSnapshot().context.timedOutMs).toBe(48);
  expect(kernelClock(kernel).now()).toBe(1000);
});

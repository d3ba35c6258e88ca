import type { Stream } from "../../src/kernel/random.ts";
import { Moments } from "../../src/metrics/moments.ts";

/** What a parameter does to a figure over its whole range (Morris 1991; mu* of Campolongo 2007). */
export interface Effect {
  /** The mean of the elementary effects, and of their sizes. */
  readonly mean: number;
  readonly size: number;
  /** Their spread: effects that differ from place to place, by interaction or a bend. */
  readonly spread: number;
}

/** Points of a trajectory lie on four levels; a step goes across two thirds of the range. */
const levels = [0, 1 / 3] as const;
const stride = 2 / 3;

/**
 * Morris' screening: trajectories through the unit cube that move one parameter at a time.
 * @returns the effects by figure, one a parameter; and every point's figures
 */
export async function morris(
  dimensions: number,
  trajectories: number,
  figuresAt: (position: readonly number[]) => Promise<Readonly<Record<string, number>>>,
  stream: Stream,
): Promise<{ effects: Map<string, Effect[]>; points: Readonly<Record<string, number>>[] }> {
  const changes = new Map<string, Moments[]>();
  const sizes = new Map<string, Moments[]>();
  const points: Readonly<Record<string, number>>[] = [];
  for (let trajectory = 0; trajectory < trajectories; trajectory++) {
    let position = Array.from({ length: dimensions }, () => levels[stream.integer(2)] as number);
    const directions = position.map(() => (stream.integer(2) === 0 ? 1 : -1));
    position = position.map((place, index) => (directions[index] === 1 ? place : place + stride));
    let figures = await figuresAt(position);
    points.push(figures);
    for (const index of stream.shuffle([...position.keys()])) {
      position = position.with(index, (position[index] as number) + stride * (directions[index] as number));
      const next = await figuresAt(position);
      points.push(next);
      for (const [name, value] of Object.entries(next)) {
        const effect = (value - (figures[name] as number)) / (stride * (directions[index] as number));
        momentsOf(changes, name, dimensions)[index]?.add(effect);
        momentsOf(sizes, name, dimensions)[index]?.add(Math.abs(effect));
      }
      figures = next;
    }
  }
  const effects = [...changes].map(([name, moments]): [string, Effect[]] => [
    name,
    moments.map((each, index) => ({
      mean: each.mean ?? 0,
      size: sizes.get(name)?.[index]?.mean ?? 0,
      spread: each.sd ?? 0,
    })),
  ]);
  return { effects: new Map(effects), points };
}

function momentsOf(all: Map<string, Moments[]>, name: string, dimensions: number): Moments[] {
  const known = all.get(name) ?? Array.from({ length: dimensions }, () => new Moments());
  all.set(name, known);
  return known;
}

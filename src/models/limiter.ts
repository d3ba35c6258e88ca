/** Runs a call, at once or when there is a place for it. */
export type Limit = <T>(call: () => Promise<T>) => Promise<T>;

/** Lets at most `most` calls run at once; the others wait in the order they came. */
export function limiter(most: number): Limit {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (call) => {
    if (running < most) running++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await call();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}

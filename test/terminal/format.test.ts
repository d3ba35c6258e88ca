import { expect, test } from "vitest";
import { bar, change, clockTime, count, duration, score, share, timeOfDay } from "../../src/terminal/format.ts";

test("virtual times are a day and a time of day", () => {
  expect(clockTime(0)).toBe("day 1 00:00:00");
  expect(clockTime(8 * 3_600_000 + 12 * 60_000 + 5_999)).toBe("day 1 08:12:05");
  expect(clockTime(86_400_000)).toBe("day 2 00:00:00");
  expect(timeOfDay(2 * 86_400_000 - 1)).toBe("23:59:59");
});

test("durations have two units at most", () => {
  const texts = [999, 7_000, 125_000, 3_720_000, 273_600_000].map(duration);
  expect(texts).toEqual(["0 s", "7 s", "2 m 05 s", "1 h 02 m", "3 d 4 h"]);
});

test("counts are grouped", () => {
  expect([0, 999, 1000, 1234567, 999.6, -1234].map(count)).toEqual([
    "0",
    "999",
    "1,000",
    "1,234,567",
    "1,000",
    "-1,234",
  ]);
});

test("shares, changes and scores are rounded, changes signed", () => {
  expect([0, 0.1234, 1].map(share)).toEqual(["0.0%", "12.3%", "100.0%"]);
  expect([0.0123, -0.0123, 0.0004, -0.0004].map(change)).toEqual(["+1.2", "-1.2", "0.0", "0.0"]);
  expect(score(0.41666)).toBe("0.417");
});

test("bars fill to an eighth of a column, or with signs of ASCII", () => {
  expect(bar(0, 4)).toBe("    ");
  expect(bar(0.5, 4)).toBe("██  ");
  expect(bar(0.53125, 4)).toBe("██▏ ");
  expect(bar(1, 4)).toBe("████");
  expect(bar(7, 4)).toBe("████");
  expect(bar(0.5, 4, false)).toBe("##..");
});

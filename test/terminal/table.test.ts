import { expect, test } from "vitest";
import { width } from "../../src/terminal/clean.ts";
import { score } from "../../src/terminal/format.ts";
import { table } from "../../src/terminal/table.ts";

const columns = [{ title: "site" }, { title: "contacts" }, { title: "ndcg@3", format: score }];

test("texts are aligned to the left, numbers to the right", () => {
  const rows = [
    ["encyclopedia.example", 12345, 0.5],
    ["東京.example", 7, null],
  ];
  expect(table(columns, rows)).toBe(
    [
      "site                  contacts  ndcg@3",
      "--------------------  --------  ------",
      "encyclopedia.example    12,345   0.500",
      "東京.example                 7       -",
      "",
    ].join("\n"),
  );
});

test("a table wider than allowed has its texts cut, its numbers kept", () => {
  const text = table(columns, [["a-very-long-name-of-a-site.example", 12345, 0.5]], 32);
  expect(text.split("\n")[2]).toBe("a-very-long-n…    12,345   0.500");
});

test("no line is wider than allowed, however little that is", () => {
  for (const columnsWide of [1, 5, 12, 20, 60]) {
    const lines = table(columns, [["a\u001b[2J-long-name\nof-a-site.example", 12345, 0.5]], columnsWide).split("\n");
    expect(lines).toHaveLength(4);
    for (const line of lines) expect(width(line)).toBeLessThanOrEqual(columnsWide);
  }
});

test("a table without rows is its titles", () => {
  expect(table(columns, [])).toBe("site  contacts  ndcg@3\n----  --------  ------\n");
});

import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, test } from "vitest";
import { packageRoot } from "../../src/package-root.ts";
import { blocksOf, codeOf, type Page, page, pages } from "./pages.ts";

const linkPattern = /\[[^\]]*\]\(([^)\s]+)\)/g;
/** Paths from the repository's root, as the pages name them in code. */
const pathPattern = /^(?:src|test|docs|bench|scenarios|prompts|\.ci|corpora\/atlas)(?:\/[\w.-]+)*\/?$/;

function linksOf({ prose, path }: Page) {
  return [...prose.matchAll(linkPattern)]
    .map(([, target]) => target as string)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [file = "", anchor] = target.split("#");
      return { target, file: file === "" ? path : normalize(join(dirname(path), file)), anchor };
    });
}

/** The anchors that GitHub gives a page's headings. */
function anchorsOf({ prose }: Page): string[] {
  return [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    (heading as string)
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

describe.each(pages)("$path", (each) => {
  test("links lead somewhere", () => {
    const broken = linksOf(each).filter(({ file, anchor }) => {
      if (!existsSync(join(packageRoot, file))) return true;
      return anchor !== undefined && !anchorsOf(page(file)).includes(anchor);
    });
    expect(broken.map(({ target }) => target)).toEqual([]);
  });

  test("files it names exist", () => {
    const inCommands = blocksOf(each)
      .filter(({ language }) => language === "sh")
      .flatMap(({ text }) => text.split(/\s+/));
    const named = [...codeOf(each.prose), ...inCommands].filter((code) => pathPattern.test(code));
    expect(named.filter((path) => !existsSync(join(packageRoot, path)))).toEqual([]);
  });

  test("speaks of awesim only, not of where or how it was written", () => {
    expect(each.text).not.toMatch(/\.\.\/shared|\/work\b|\/root\b|\/tmp\b|\bissues? #?\d|(?:^|\s)#\d/);
  });
});

test("every page is linked from another one", () => {
  const linked = new Set(
    pages.flatMap((each) => linksOf(each).filter(({ file }) => file !== each.path)).map(({ file }) => file),
  );
  expect(pages.map(({ path }) => path).filter((path) => path !== "README.md" && !linked.has(path))).toEqual([]);
});

test("the picture in README is a frame of the view's tests", () => {
  const match = /<!-- frame: (\S+) -->\n```text\n([\s\S]*?)```/.exec(page("README.md").text);
  const [, file, frame] = match as unknown as [string, string, string];
  expect(frame.trimEnd()).toBe(readFileSync(join(packageRoot, file), "utf8").trimEnd());
});

import { existsSync } from "node:fs";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll } from "vitest";

const executablePath = "/usr/bin/chromium";

/** Whether Debian's Chromium is there; tests that need it say so in their names. */
export const hasBrowser = existsSync(executablePath);
export const browserNote = hasBrowser ? "" : " (skipped: no /usr/bin/chromium)";

export interface OpenedPage {
  readonly page: Page;
  /** What went to the console, and requests for anything but the file itself. */
  readonly complaints: readonly string[];
}

interface Look {
  readonly colorScheme?: "light" | "dark";
  readonly width?: number;
  readonly scripts?: boolean;
}

/** Opens files as a double click does, in one browser for the tests of a file. */
export function pageOpener(): (file: string, look?: Look) => Promise<OpenedPage> {
  let browser: Promise<Browser> | null = null;
  afterAll(async () => (await browser)?.close());
  return async (file, { colorScheme = "light", width = 1200, scripts = true } = {}) => {
    browser ??= chromium.launch({ executablePath, args: ["--no-sandbox"] });
    const context = await (await browser).newContext({
      viewport: { width, height: 900 },
      colorScheme,
      javaScriptEnabled: scripts,
      offline: true,
    });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on("console", (message) => complaints.push(`${message.type()}: ${message.text()}`));
    page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
    page.on("dialog", (dialog) => {
      complaints.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on("request", (request) => {
      if (request.url() !== `file://${file}` && !request.url().startsWith("data:")) complaints.push(request.url());
    });
    await page.goto(`file://${file}`);
    return { page, complaints };
  };
}

import { it } from "vitest";
import { killAndResume } from "../support/kills.ts";
import { smallWeb } from "../support/small-web.ts";

const web = smallWeb();

it("a run killed at 50 random moments loses no paid answer and ends with the same bytes", async () => {
  await killAndResume(web, 50);
});

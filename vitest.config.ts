import { defineConfig } from "vitest/config";

const project = (name: string, include: string[], testTimeout: number) => ({
  test: { name, include, testTimeout, hookTimeout: testTimeout },
});

export default defineConfig({
  test: {
    projects: [
      project("fast", ["test/**/*.test.{ts,tsx}"], 60_000),
      project("slow", ["test/**/*.slow.ts"], 600_000),
      project("soak", ["test/**/*.soak.ts"], 3_600_000),
    ],
  },
});

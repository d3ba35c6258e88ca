#!/usr/bin/env -S node --max-semi-space-size=64 --heap-growing-percent=20
// A large young generation (in MB), since a run makes and drops many small objects, and an old one that grows little.
import { awesim } from "./awesim.ts";
import { messageOf } from "./message.ts";

// A reader that has seen enough closes the pipe: no failure. A full disk is one.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") return;
  process.stderr.write(`awesim: standard output: ${messageOf(error)}\n`);
  process.exitCode = 1;
});

const code = await awesim(process.argv.slice(2));
process.exitCode ??= code;

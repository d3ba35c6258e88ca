#!/usr/bin/env -S node --max-semi-space-size=64
// A large young generation (in MB): a run makes and drops many small objects, and collects them a sixth quicker so.
import { awesim } from "./awesim.ts";

process.exitCode = await awesim(process.argv.slice(2));

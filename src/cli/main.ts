#!/usr/bin/env node
import { awesim } from "./awesim.ts";

process.exitCode = await awesim(process.argv.slice(2));

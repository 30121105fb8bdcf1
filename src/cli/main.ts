#!/usr/bin/env node
import { shutdownSignal } from "../base/index.ts";
import { runProgram } from "./program.ts";

process.exitCode = await runProgram(process.argv.slice(2), {
  write: (text) => void process.stdout.write(text),
  writeError: (text) => void process.stderr.write(text),
  shutdownSignal,
});

/**
 * The command `trimtab`.
 *
 * It promises one line on standard error and an exit code for errors that the user can fix (1, or 2 for invalid
 * arguments), and that no temporary file is left behind. Other folders implement what the commands do.
 *
 * @module
 */
export { runProgram, type Terminal } from "./program.ts";
export { type ServeOptions, serve } from "./serve.ts";
export { UserError } from "./user-error.ts";

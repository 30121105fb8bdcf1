/**
 * The command `trimtab`: what people run from a terminal.
 *
 * It promises one clear line and an exit code for what a person can mend (1, and 2 for a command that cannot be
 * understood), and that nothing temporary is left behind. What commands do is done by other folders.
 *
 * @module
 */
export { runProgram, type Terminal } from "./program.ts";
export { type ServeOptions, serve } from "./serve.ts";
export { UserError } from "./user-error.ts";

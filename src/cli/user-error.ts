/** Something that the person at the terminal can mend: told in one line, without a stack. */
export class UserError extends Error {
  override readonly name: string = "UserError";
}

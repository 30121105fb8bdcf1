/** An error that the user can fix. It is printed on one line, without a stack. */
export class UserError extends Error {
  override readonly name: string = "UserError";
}

export interface PatchOptions {
  /** As the request asks for it. `Ignore` also reads patches less strictly. @default "Warn" */
  readonly fieldValidation?: "Ignore" | "Warn" | "Strict" | undefined;
  /**
   * The patch as it was sent. With it, `test` of a JSON patch compares as the real server does: it takes only what is
   * written as the server itself writes JSON, `"a\u0026b"` and not `"a&b"`. @default values are compared
   */
  readonly text?: string | undefined;
}

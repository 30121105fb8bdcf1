export interface PatchOptions {
  /** The `fieldValidation` of the request. `Ignore` also parses patches less strictly. @default "Warn" */
  readonly fieldValidation?: "Ignore" | "Warn" | "Strict" | undefined;
  /**
   * The patch as it was sent. With it, `test` of a JSON patch compares like kube-apiserver: it accepts only values
   * written as the server writes JSON, `"a\u0026b"` but not `"a&b"`. @default values are compared
   */
  readonly text?: string | undefined;
}

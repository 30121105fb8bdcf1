export interface PatchOptions {
  /** As the request asks for it. `Ignore` also reads patches less strictly. @default "Warn" */
  readonly fieldValidation?: "Ignore" | "Warn" | "Strict" | undefined;
}

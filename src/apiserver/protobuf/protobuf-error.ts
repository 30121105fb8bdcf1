import type { AnyKind } from "../../api/index.ts";

/** Thrown for bytes that are not the expected message. The message is that of Go's decoder. */
export class ProtobufError extends Error {
  override readonly name = "ProtobufError";
}

/** Thrown for an object that cannot be read although its kind can. */
export class ProtobufObjectError extends ProtobufError {
  /** The kind that the body declares, or else the expected one. */
  readonly kind: AnyKind;

  constructor(kind: AnyKind, cause: ProtobufError) {
    super(cause.message, { cause });
    this.kind = kind;
  }
}

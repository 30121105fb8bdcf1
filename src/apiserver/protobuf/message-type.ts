/** The type of a value in protobuf. `json` are bytes that are JSON, and `buffer` bytes that stay bytes. */
export type ProtoType =
  | { readonly shape: "string" | "bytes" | "json" | "buffer" | "boolean" | "int32" | "int64" | "double" }
  | { readonly shape: "message"; readonly message: MessageType }
  | { readonly shape: "repeated" | "map"; readonly element: ProtoType };

export interface MessageField {
  /** The name in JSON. Empty for an embedded struct, whose fields are fields of the object itself. */
  readonly name: string;
  /** The name in errors. */
  readonly goName: string;
  readonly type: ProtoType;
  /** True if the field is a pointer in Go, so that zero and missing differ. */
  readonly pointer: boolean;
}

/** A message and its JSON form. */
export interface MessageType {
  /** The name in errors. */
  readonly name: string;
  /** The fields by number. */
  readonly fields: ReadonlyMap<number, MessageField>;
  /**
   * Returns the JSON value of the fields that were read, or `undefined` for Go's zero value.
   * @default an object of the fields
   */
  readonly jsonOf?: ((fields: Readonly<Record<string, unknown>>) => unknown) | undefined;
}

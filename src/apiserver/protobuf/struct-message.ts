import type { TypedSchema } from "../../schema/index.ts";
import { fieldsOf, type TableField } from "./message-table.ts";
import type { MessageField, MessageType, ProtoType } from "./message-type.ts";
import { listMessage, specialMessage } from "./special-messages.ts";

/** Returns the message of a struct. The same struct always has the same message. */
export function structMessage(schema: TypedSchema): MessageType {
  const cached = bySchema.get(schema);
  if (cached) return cached;
  const created = new StructMessage(schema, schema.name);
  bySchema.set(schema, created);
  return created;
}

const bySchema = new WeakMap<TypedSchema, MessageType>();

/** The message of a struct, or of a struct that is embedded in it and has fields of it. */
class StructMessage implements MessageType {
  readonly name: string;
  readonly #schema: TypedSchema;
  readonly #tableName: string;
  /** Resolved on first use, because messages are recursive. */
  #fields: ReadonlyMap<number, MessageField> | undefined;

  constructor(schema: TypedSchema, tableName: string) {
    this.name = lastPart(tableName);
    this.#schema = schema;
    this.#tableName = tableName;
  }

  get fields(): ReadonlyMap<number, MessageField> {
    this.#fields ??= new Map(this.#tableFields().map((field) => [field.number, this.#fieldOf(field)]));
    return this.#fields;
  }

  /** Returns the fields in the table, which does not list structs without fields. */
  #tableFields(): readonly TableField[] {
    return this.#schema.fields.size === 0 ? [] : fieldsOf(this.#tableName);
  }

  #fieldOf({ name, goName, embedded }: TableField): MessageField {
    if (embedded !== "") {
      const message = new StructMessage(this.#schema, embedded);
      return { name, goName, type: { shape: "message", message }, pointer: false };
    }
    const field = this.#schema.fields.get(name);
    if (!field) throw new Error(`expected a field ${name} in ${this.#schema.name}, got none`);
    const { type, pointer } = field;
    return { name, goName: goName || lastPart(type.name), type: protoType(type), pointer };
  }
}

/** Returns the part of a name after its last dot. */
function lastPart(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}

function protoType(schema: TypedSchema): ProtoType {
  const { shape, element } = schema;
  if (shape === "string" || shape === "bytes" || shape === "boolean") return { shape };
  if (shape === "integer") return { shape: schema.goType === "int32" ? "int32" : "int64" };
  if (shape === "number") return { shape: "double" };
  if (shape === "list" && element) return { shape: "repeated", element: protoType(element) };
  if (shape === "map" && element) return { shape: "map", element: valueType(element) };
  return { shape: "message", message: messageOf(schema) };
}

/** Returns the type of the values of a map, in which a list has a message of its own. */
function valueType(schema: TypedSchema): ProtoType {
  const type = protoType(schema);
  return type.shape === "repeated" ? { shape: "message", message: listMessage(type) } : type;
}

function messageOf(schema: TypedSchema): MessageType {
  const { shape, element, name } = schema;
  if (shape === "struct") return structMessage(schema);
  return specialMessage(
    shape,
    lastPart(name),
    element && { shape: "message", message: structMessage(element) },
  );
}

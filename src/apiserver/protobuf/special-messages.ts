import { timestamp } from "../../base/index.ts";
import type { Shape } from "../../schema/index.ts";
import type { MessageField, MessageType, ProtoType } from "./message-type.ts";
import { ProtobufError } from "./protobuf-error.ts";

/**
 * Returns the message of a type that is not an object in JSON.
 *
 * @param element the schema in a part of a CustomResourceDefinition that may be a schema or something else
 */
export function specialMessage(shape: Shape, name: string, element: ProtoType | undefined): MessageType {
  if (shape === "time") return timeMessage;
  if (shape === "microTime") return microTimeMessage;
  if (shape === "quantity") return quantityMessage;
  if (shape === "intOrString") return intOrStringMessage;
  if (shape === "raw") return message(name, [["raw", { shape: "json" }]], ({ raw }) => raw);
  if (!element) throw new Error(`expected a type with a message, got ${shape}`);
  return unionMessage(shape, name, element);
}

/** Returns the message that Go's protobuf has for a list inside a map. */
export function listMessage(items: ProtoType): MessageType {
  return message("ExtraValue", [["items", items]], ({ items: list = [] }) => list);
}

type NamedField = readonly [name: string, type: ProtoType, goName?: string];

/** Creates a message with fields of the numbers 1, 2 and so on. */
function message(
  name: string,
  named: readonly NamedField[],
  jsonOf: (fields: Readonly<Record<string, unknown>>) => unknown,
): MessageType {
  const fields = named.map(([field, type, goName = capitalized(field)], index): [number, MessageField] => [
    index + 1,
    { name: field, goName, type, pointer: true },
  ]);
  return { name, fields: new Map(fields), jsonOf };
}

function capitalized(name: string): string {
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
}

/** The envelope of every object. */
export const envelopeMessage: MessageType = message(
  "Unknown",
  [
    ["typeMeta", { shape: "message", message: typeMetaMessage() }],
    ["raw", { shape: "buffer" }],
    ["contentEncoding", { shape: "string" }],
    ["contentType", { shape: "string" }],
  ],
  (fields) => fields,
);

function typeMetaMessage(): MessageType {
  const text: ProtoType = { shape: "string" };
  return message(
    "TypeMeta",
    [
      ["apiVersion", text, "APIVersion"],
      ["kind", text],
    ],
    (fields) => fields,
  );
}

const timeFields: readonly NamedField[] = [
  ["seconds", { shape: "int64" }],
  ["nanos", { shape: "int32" }],
];

const timeMessage = message("Timestamp", timeFields, (fields) => timeText(fields, () => ""));

const microTimeMessage = message("Timestamp", timeFields, (fields) =>
  timeText(fields, (micros) => `.${String(micros).padStart(6, "0")}`),
);

/** Returns a time as JSON, or `undefined` if it is empty, which is the zero time. */
function timeText(
  { seconds, nanos }: { readonly seconds?: unknown; readonly nanos?: unknown },
  fraction: (micros: number) => string,
): string | undefined {
  if (seconds === undefined && nanos === undefined) return undefined;
  const micros = Math.trunc(Number(nanos ?? 0) / 1000);
  const whole = Number(seconds ?? 0) + (fraction(0) === "" ? 0 : Math.floor(micros / 1_000_000));
  if (whole < firstSecond || whole > lastSecond) {
    throw new ProtobufError("Time.MarshalJSON: year outside of range [0,9999]");
  }
  const rest = ((micros % 1_000_000) + 1_000_000) % 1_000_000;
  return `${timestamp(whole * 1000).slice(0, -1)}${fraction(rest)}Z`;
}

const firstSecond = -62_167_219_200; // year 0
const lastSecond = 253_402_300_799; // year 9999

const quantityMessage = message("Quantity", [["string", { shape: "string" }, "String_"]], (fields) =>
  "string" in fields ? fields.string : "0",
);

const intOrStringMessage = message(
  "IntOrString",
  [
    ["type", { shape: "int64" }],
    ["intVal", { shape: "int32" }],
    ["strVal", { shape: "string" }],
  ],
  ({ type = 0, intVal = 0, strVal = "" }) => {
    if (type === 0) return intVal;
    if (type === 1) return strVal;
    throw new ProtobufError("impossible IntOrString.Type");
  },
);

function unionMessage(shape: Shape, name: string, schema: ProtoType): MessageType {
  const list: ProtoType = { shape: "repeated", element: schema };
  if (shape === "schemaOrBoolean") {
    const fields: NamedField[] = [
      ["allows", { shape: "boolean" }],
      ["schema", schema],
    ];
    return message(name, fields, ({ allows = false, schema: one }) => one ?? allows);
  }
  if (shape === "schemaOrList") {
    const fields: NamedField[] = [
      ["schema", schema],
      ["jSONSchemas", list, "JSONSchemas"],
    ];
    return message(name, fields, ({ schema: one, jSONSchemas }) => jSONSchemas ?? one);
  }
  const strings: ProtoType = { shape: "repeated", element: { shape: "string" } };
  const fields: NamedField[] = [
    ["schema", schema],
    ["property", strings],
  ];
  return message(name, fields, ({ schema: one, property }) => property ?? one);
}

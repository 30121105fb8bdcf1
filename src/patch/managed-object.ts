import { fieldOf, isObject, type JsonObject, setField } from "../schema/index.ts";
import { type Managers, printManagers } from "./managers.ts";

/** What stands in `metadata.managedFields`, of any type: a client may have sent it. */
export function managedFieldsOf(object: JsonObject): unknown {
  const metadata = fieldOf(object, "metadata");
  return isObject(metadata) ? fieldOf(metadata, "managedFields") : undefined;
}

/** The object with these managers in its metadata, and no others. */
export function withManagers(object: JsonObject, managers: Managers): JsonObject {
  const entries = printManagers(managers.values());
  if (entries === undefined) return withoutManagedFields(object);
  return withMetadata(object, { ...withoutField(metadataOf(object)), managedFields: entries });
}

export function withoutManagedFields(object: JsonObject): JsonObject {
  if (managedFieldsOf(object) === undefined) return object;
  return withMetadata(object, withoutField(metadataOf(object)));
}

function metadataOf(object: JsonObject): JsonObject {
  const metadata = fieldOf(object, "metadata");
  return isObject(metadata) ? metadata : {};
}

function withMetadata(object: JsonObject, metadata: JsonObject): JsonObject {
  const copy: Record<string, unknown> = { ...object };
  setField(copy, "metadata", metadata);
  return copy;
}

function withoutField({ managedFields, ...rest }: JsonObject): JsonObject {
  return rest;
}

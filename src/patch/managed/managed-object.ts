import { fieldOf, isObject, type JsonObject, setField } from "../../schema/index.ts";
import { type Managers, printManagers } from "./managers.ts";

/** Returns `metadata.managedFields`. It may have any type, because it may come from a client. */
export function managedFieldsOf(object: JsonObject): unknown {
  const metadata = fieldOf(object, "metadata");
  return isObject(metadata) ? fieldOf(metadata, "managedFields") : undefined;
}

/** Returns the object with exactly these managers in its metadata. */
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

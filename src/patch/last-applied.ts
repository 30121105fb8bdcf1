import { fieldOf, isObject, type JsonObject } from "../schema/index.ts";
import { checkTyped } from "./check-typed.ts";
import { compareTyped } from "./compare-typed.ts";
import { FieldSet } from "./field-set.ts";
import { fieldsOf } from "./fields-of.ts";
import { goJson } from "./go-json.ts";
import { objectIn } from "./shape.ts";
import { TypedError } from "./typed-error.ts";
import type { Write } from "./write.ts";

/** Where kubectl keeps what it applied by itself, before the server did. */
const annotation = "kubectl.kubernetes.io/last-applied-configuration";

/** How many bytes all annotations of an object may have. */
const mostBytes = 256 * 1024;

/**
 * What `kubectl apply` set on the client's side and nobody changed since: `kubectl apply --server-side` may take it
 * over without force.
 */
export function stillLastApplied(live: JsonObject, { node, apiVersion }: Write): FieldSet {
  const last = parsed(fieldOf(annotationsOf(live), annotation));
  if (!isObject(last) || fieldOf(last, "apiVersion") !== apiVersion) return FieldSet.empty;
  try {
    checkTyped(last, node, { duplicates: "refused" });
    const { added, modified, removed } = compareTyped(last, live, node);
    return fieldsOf(last, node).difference(added.union(modified).union(removed));
  } catch (error) {
    // What kubectl wrote there fits no longer: then there is nothing to take over.
    if (error instanceof TypedError) return FieldSet.empty;
    throw error;
  }
}

function parsed(text: unknown): unknown {
  if (typeof text !== "string") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // Anybody may write an annotation; this one says nothing.
    return undefined;
  }
}

/** The object with its annotation saying what is applied now, if it has one. It goes if annotations become too large. */
export function withLastApplied(object: JsonObject, config: JsonObject): JsonObject {
  const { [annotation]: before, ...others } = annotationsOf(object);
  if (typeof before !== "string" || before === "") return object;
  const refreshed = { ...others, [annotation]: `${goJson(withoutAnnotation(config))}\n` };
  return withAnnotations(object, bytesOf(refreshed) > mostBytes ? others : refreshed);
}

function withoutAnnotation(config: JsonObject): JsonObject {
  const { [annotation]: before, ...others } = annotationsOf(config);
  return before === undefined ? config : withAnnotations(config, others);
}

function annotationsOf(object: JsonObject): JsonObject {
  return objectIn(fieldOf(objectIn(fieldOf(object, "metadata")), "annotations"));
}

function withAnnotations(object: JsonObject, annotations: JsonObject): JsonObject {
  return { ...object, metadata: { ...objectIn(fieldOf(object, "metadata")), annotations } };
}

function bytesOf(annotations: JsonObject): number {
  return Object.entries(annotations).reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(`${key}${value}`),
    0,
  );
}

import { fieldOf, goJson, isObject, type JsonObject } from "../../schema/index.ts";
import { objectOrEmpty } from "../values/shape.ts";
import { TypedError } from "../values/typed-error.ts";
import { checkTyped } from "./check-typed.ts";
import { compareTyped } from "./compare-typed.ts";
import { FieldSet } from "./field-set.ts";
import { fieldsOf } from "./fields-of.ts";
import type { Write } from "./write.ts";

/** The annotation in which `kubectl apply` stores the applied configuration. */
const annotation = "kubectl.kubernetes.io/last-applied-configuration";

/** Maximum size in bytes of all annotations of an object. */
const maxBytes = 256 * 1024;

/**
 * Returns the fields that `kubectl apply` set on the client side and that have not changed since. `kubectl apply
 * --server-side` takes them over without force.
 */
export function unchangedSinceLastApplied(live: JsonObject, { node, apiVersion }: Write): FieldSet {
  const last = parsed(fieldOf(annotationsOf(live), annotation));
  if (!isObject(last) || fieldOf(last, "apiVersion") !== apiVersion) return FieldSet.empty;
  try {
    checkTyped(last, node, { duplicates: "refused" });
    const { added, modified, removed } = compareTyped(last, live, node);
    return fieldsOf(last, node).difference(added.union(modified).union(removed));
  } catch (error) {
    // The configuration no longer fits the schema, so there is nothing to take over.
    if (error instanceof TypedError) return FieldSet.empty;
    throw error;
  }
}

function parsed(text: unknown): unknown {
  if (typeof text !== "string") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // Any client may write this annotation. An invalid one is ignored.
    return undefined;
  }
}

/**
 * Updates the last-applied annotation of an object that has one. Removes it if the annotations would become too large.
 */
export function withLastApplied(object: JsonObject, config: JsonObject): JsonObject {
  const { [annotation]: before, ...others } = annotationsOf(object);
  if (typeof before !== "string" || before === "") return object;
  const refreshed = { ...others, [annotation]: `${goJson(withoutAnnotation(config))}\n` };
  return withAnnotations(object, bytesOf(refreshed) > maxBytes ? others : refreshed);
}

function withoutAnnotation(config: JsonObject): JsonObject {
  const { [annotation]: before, ...others } = annotationsOf(config);
  return before === undefined ? config : withAnnotations(config, others);
}

function annotationsOf(object: JsonObject): JsonObject {
  return objectOrEmpty(fieldOf(objectOrEmpty(fieldOf(object, "metadata")), "annotations"));
}

function withAnnotations(object: JsonObject, annotations: JsonObject): JsonObject {
  return { ...object, metadata: { ...objectOrEmpty(fieldOf(object, "metadata")), annotations } };
}

function bytesOf(annotations: JsonObject): number {
  return Object.entries(annotations).reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(`${key}${value}`),
    0,
  );
}

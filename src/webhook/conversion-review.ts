import type { KubeObject, Unstructured } from "../api/index.ts";
import { asError, type Logger, placeOf, TimeSlice } from "../base/index.ts";
import { expected, isRecord, parseReview, uidOf } from "./parse-review.ts";
import { type ReviewLimits, withinTime } from "./within-time.ts";

/** Converts the objects of a kind between its versions. */
export interface Converter {
  readonly group: string;
  readonly kind: string;
  /** The version that the API server stores. */
  readonly storageVersion: string;
  /**
   * Returns the object in another version. It must keep `metadata`, except for labels and annotations. It must not have
   * side effects: the API server converts objects on every read.
   */
  convert(object: Unstructured, toVersion: string): KubeObject | Promise<KubeObject>;
}

/** A kind with several versions. Pass it to `manager({ webhooks })`, so that its conversion webhook is served. */
export interface ConvertibleKind {
  readonly conversion: Converter & {
    /**
     * "None" if only `apiVersion` differs between the versions, so that API servers need no webhook. @default "Webhook"
     */
    readonly strategy?: "None" | "Webhook" | undefined;
  };
  toCustomResourceDefinition(): { readonly metadata: { readonly name: string } };
}

/** The response of a ConversionReview. */
export interface ConversionResponse {
  readonly uid: string;
  readonly convertedObjects: readonly KubeObject[];
  readonly result: { readonly status: "Success" } | { readonly status: "Failure"; readonly message: string };
}

export interface ConversionReview {
  readonly apiVersion: string;
  readonly kind: "ConversionReview";
  readonly response: ConversionResponse;
}

export interface ConversionOptions extends ReviewLimits {
  readonly converters: readonly Converter[];
  readonly log: Logger;
  /** Called when a conversion has failed. */
  readonly onFailed?: (() => void) | undefined;
}

/**
 * Answers a ConversionReview, in the version in which it came. If one object cannot be converted, the whole review
 * fails with a message that names the object; an error of the converter is logged. Objects in the desired version stay
 * as they are.
 *
 * @throws {ReviewError} 400 if the review is invalid; 504 if the conversion takes too long
 */
export async function reviewConversion(text: string, options: ConversionOptions): Promise<ConversionReview> {
  const { apiVersion, request } = parseReview(text, {
    group: "apiextensions.k8s.io",
    kind: "ConversionReview",
  });
  const uid = uidOf(request);
  const { desiredAPIVersion, objects = [] } = request;
  if (typeof desiredAPIVersion !== "string")
    throw expected("text in request.desiredAPIVersion", desiredAPIVersion);
  if (!Array.isArray(objects)) throw expected("list in request.objects", objects);
  const ended = new AbortController();
  const work = convertAll(objects, desiredAPIVersion, { ...options, signal: ended.signal });
  const response = await withinTime(work, options, {
    what: "converter",
    onTimeout: () => logTimeout(objects, desiredAPIVersion, options),
    onStopped: (error) => ended.abort(error),
  });
  return { apiVersion, kind: "ConversionReview", response: { uid, ...response } };
}

function logTimeout(
  objects: readonly unknown[],
  apiVersion: string,
  { log, timeoutMs }: ConversionOptions,
): void {
  log.error("conversion timed out", { objects: objects.length, apiVersion, timeoutMs });
}

type Outcome = Omit<ConversionResponse, "uid">;

/**
 * Converts objects one after the other. Other requests run in between, because a list may have thousands of objects.
 * Rejects before the next object when the signal aborts.
 */
async function convertAll(
  objects: readonly unknown[],
  apiVersion: string,
  options: ConversionOptions,
): Promise<Outcome> {
  const slice = new TimeSlice(options.clock);
  const convertedObjects: KubeObject[] = [];
  for (const [index, object] of objects.entries()) {
    try {
      convertedObjects.push(await convertOne(object, apiVersion, options.converters));
    } catch (thrown) {
      const error = asError(thrown);
      const message = `${nameOf(object, index)}: ${error.message}`;
      options.log.error("conversion failed", {
        object: nameOf(object, index),
        apiVersion,
        error,
        at: placeOf(error),
      });
      options.onFailed?.();
      return { convertedObjects: [], result: { status: "Failure", message } };
    }
    if (slice.over) await slice.pause();
    options.signal?.throwIfAborted();
  }
  return { convertedObjects, result: { status: "Success" } };
}

async function convertOne(
  given: unknown,
  apiVersion: string,
  converters: readonly Converter[],
): Promise<KubeObject> {
  const object = checkedObject(given);
  if (object.apiVersion === apiVersion) return object;
  const [group, version] = splitVersion(apiVersion);
  const [from] = splitVersion(object.apiVersion);
  if (from !== group) throw new Error(`expected a version of group ${from}, got ${apiVersion}`);
  const converter = converters.find((each) => each.group === group && each.kind === object.kind);
  if (!converter)
    throw new Error(`expected a kind of ${group} that this program converts, got ${object.kind}`);
  const { kind } = object; // the converter may change the object in place
  const identity = identityOf(object);
  const converted = await converter.convert(object, version);
  checkConverted(converted, { apiVersion, kind }, identity);
  return converted;
}

function checkedObject(value: unknown): Unstructured {
  if (!isRecord(value)) throw expected("JSON object to convert", value);
  if (typeof value.apiVersion !== "string") throw expected("text in apiVersion", value.apiVersion);
  if (typeof value.kind !== "string") throw expected("text in kind", value.kind);
  if (!isRecord(value.metadata)) throw expected("JSON object in metadata", value.metadata);
  return value as Unstructured; // checked above
}

type TypeMeta = Pick<Unstructured, "apiVersion" | "kind">;

/** Throws if an API server would refuse the converted object. */
function checkConverted(converted: unknown, { apiVersion, kind }: TypeMeta, identity: string): void {
  if (!isRecord(converted)) throw expected("JSON object from the converter", converted);
  if (converted.apiVersion !== apiVersion || converted.kind !== kind) {
    const { apiVersion: version, kind: other } = converted;
    throw new Error(
      `expected the converter to return ${apiVersion} ${kind}, got ${String(version)} ${String(other)}`,
    );
  }
  if (isRecord(converted.metadata) && identityOf(converted as Unstructured) === identity) return;
  throw new Error(
    "expected the converter to keep metadata except labels and annotations, got other metadata",
  );
}

/** Returns the part of the metadata that a conversion must not change. */
function identityOf({ metadata }: KubeObject): string {
  const { name, namespace, uid } = metadata;
  return JSON.stringify([name, namespace, uid]);
}

function splitVersion(apiVersion: string): [group: string, version: string] {
  const slash = apiVersion.indexOf("/");
  return slash < 0 ? ["", apiVersion] : [apiVersion.slice(0, slash), apiVersion.slice(slash + 1)];
}

/** Names an object in messages: "Website default/docs", or its position if it has no name. */
function nameOf(value: unknown, index: number): string {
  if (!isRecord(value) || !isRecord(value.metadata)) return `objects[${index}]`;
  const { name, namespace } = value.metadata;
  const key = typeof namespace === "string" ? `${namespace}/${String(name)}` : String(name);
  return `${String(value.kind)} ${key}`;
}

import type { KubeObject } from "../../api/index.ts";
import { equal, errorText, type FieldError, goQuoted } from "../../schema/index.ts";
import { annotationErrors, labelErrors } from "../validation/meta-validation.ts";
import { WebhookCallError } from "../webhooks/call-error.ts";

export interface ConversionContext {
  readonly uid: string;
  readonly version: "v1" | "v1beta1";
  /** The objects of the request. */
  readonly objects: readonly KubeObject[];
  readonly desiredAPIVersion: string;
}

/**
 * Returns the converted objects, with the metadata of the originals except labels and annotations. Throws a
 * `WebhookCallError` with the message of kube-apiserver for an invalid response.
 */
export function convertedObjects(review: unknown, context: ConversionContext): readonly KubeObject[] {
  const sent = objectsIn(review, context);
  const { objects } = context;
  if (sent.length !== objects.length)
    throw new WebhookCallError(`returned ${sent.length} objects, expected ${objects.length}`);
  return objects.map((original, index) => checkedObject(original, sent[index], context));
}

interface RawConversion {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly response?: {
    readonly uid?: string;
    readonly convertedObjects?: readonly unknown[] | null;
    readonly result?: { readonly status?: string; readonly message?: string };
  } | null;
}

function objectsIn(review: unknown, { uid, version }: ConversionContext): readonly unknown[] {
  const { kind = "", apiVersion = "", response } = (review ?? {}) as RawConversion;
  if (version === "v1") checkKind(apiVersion, kind);
  if (!response) throw new WebhookCallError("no response provided");
  if (version === "v1" && response.uid !== uid)
    throw new WebhookCallError(`expected response.uid=${goQuoted(uid)}, got ${goQuoted(response.uid ?? "")}`);
  const { status = "", message } = response.result ?? {};
  if (status !== "Success")
    throw new WebhookCallError(message || `response.result.status was '${status}', not 'Success'`);
  return response.convertedObjects ?? [];
}

function checkKind(apiVersion: string, kind: string): void {
  const expected = "apiextensions.k8s.io/v1, Kind=ConversionReview";
  const got = `${apiVersion.includes("/") ? apiVersion : `/${apiVersion}`}, Kind=${kind}`;
  if (got !== expected) throw new WebhookCallError(`expected webhook response of ${expected}, got ${got}`);
}

function checkedObject(original: KubeObject, sent: unknown, context: ConversionContext): KubeObject {
  const object = (sent ?? {}) as Partial<KubeObject>;
  const problem = typeProblem(original, object, context);
  if (problem !== undefined) throw new WebhookCallError(`returned invalid object at index 0: ${problem}`);
  const changed = identityFault(original, object);
  if (changed !== undefined) throw new WebhookCallError(`returned invalid object: ${changed}`);
  return { ...object, metadata: metadataOf(original, object) } as KubeObject;
}

function typeProblem(
  { kind }: KubeObject,
  object: Partial<KubeObject>,
  { desiredAPIVersion }: ConversionContext,
): string | undefined {
  if (object.apiVersion !== desiredAPIVersion)
    return `invalid groupVersion (expected ${desiredAPIVersion}, received ${object.apiVersion ?? ""})`;
  return object.kind === kind ? undefined : `invalid kind (expected ${kind}, received ${object.kind ?? ""})`;
}

function identityFault({ metadata }: KubeObject, object: Partial<KubeObject>): string | undefined {
  const found: Partial<KubeObject["metadata"]> = object.metadata ?? {};
  for (const [field, name] of [
    ["name", "name"],
    ["namespace", "namespace"],
    ["uid", "UID"],
  ] as const) {
    const [expected, got] = [metadata[field] ?? "", found[field] ?? ""];
    if (expected !== got) return `must have the same ${name}: ${expected} != ${got}`;
  }
  return undefined;
}

/** Returns the original metadata with the labels and annotations of the converted object. */
function metadataOf(original: KubeObject, object: Partial<KubeObject>): KubeObject["metadata"] {
  if (!object.metadata)
    throw new WebhookCallError("returned invalid metadata: missing metadata in converted object");
  const { labels, annotations } = object.metadata;
  const errors = [
    ...(equal(labels, original.metadata.labels) ? [] : labelErrors(labels ?? {}, "metadata.labels")),
    ...(equal(annotations, original.metadata.annotations)
      ? []
      : annotationErrors(annotations ?? {}, "metadata.annotation")),
  ];
  if (errors.length > 0) throw new WebhookCallError(`returned invalid metadata: ${aggregate(errors)}`);
  const { labels: _, annotations: __, ...metadata } = original.metadata;
  return { ...metadata, ...(labels && { labels }), ...(annotations && { annotations }) };
}

function aggregate(errors: readonly FieldError[]): string {
  const texts = errors.map(errorText);
  return texts.length === 1 ? (texts[0] ?? "") : `[${texts.join(", ")}]`;
}

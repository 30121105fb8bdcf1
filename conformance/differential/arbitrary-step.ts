import fc, { type Arbitrary } from "fast-check";
import { fields, maybe, mostly, option, pick } from "./arbitraries.ts";
import { metadata, oddMetadata } from "./arbitrary-metadata.ts";
import { deletions, reads } from "./arbitrary-reads.ts";
import { collectionPath, name, objectPath, queryOf, writeQuery } from "./arbitrary-request.ts";
import type { Json, JsonObject, Step } from "./script.ts";
import type { Subject } from "./subject.ts";

/** One request about a kind. Most requests are meaningful. */
export function stepOf(subject: Subject): Arbitrary<Step> {
  return fc.oneof(
    { weight: 8, arbitrary: creation(subject) },
    { weight: 6, arbitrary: update(subject) },
    { weight: 12, arbitrary: patch(subject) },
    { weight: 12, arbitrary: application(subject) },
    { weight: subject.subresources.includes("status") ? 6 : 0, arbitrary: statusWrite(subject) },
    { weight: subject.subresources.includes("scale") ? 4 : 0, arbitrary: scaleStep(subject) },
    { weight: 5, arbitrary: deletions(subject) },
    { weight: 8, arbitrary: reads(subject) },
    { weight: 2, arbitrary: oddity(subject) },
  );
}

/** A complete object, with a name or a generateName. */
export function creation(subject: Subject): Arbitrary<Step> {
  const body = fc
    .tuple(wholeObject(subject), option(pick("g-"), { nil: undefined, freq: 15 }))
    .map(([object, generateName]) => (generateName ? withGeneratedName(object, generateName) : object));
  return fc.tuple(body, writeQuery).map(([object, query]) => ({
    method: "POST",
    path: collectionPath(subject) + queryOf(query),
    body: object,
  }));
}

function withGeneratedName(object: JsonObject, generateName: string): JsonObject {
  const { name: _, ...rest } = object.metadata as JsonObject;
  return { ...object, metadata: { ...rest, generateName } };
}

function wholeObject(subject: Subject): Arbitrary<JsonObject> {
  return objectOf(subject, subject.whole);
}

function objectOf(subject: Subject, content: Arbitrary<JsonObject>): Arbitrary<JsonObject> {
  const head = fields({
    apiVersion: mostly(fc.constant(subject.apiVersion), pick("v1", "nope/v1", "", null)),
    kind: mostly(fc.constant(subject.kind), pick("Secret", "Nope", "", null)),
  });
  const odd = option(oddMetadata, { nil: {}, freq: 12 });
  return fc.tuple(head, content, metadata, odd, name).map(([top, rest, meta, oddMeta, called]) => ({
    ...top,
    metadata: { name: called, ...meta, ...oddMeta },
    ...rest,
  }));
}

/** A PUT of the last read object with a change, or of a new object. */
function update(subject: Subject): Arbitrary<Step> {
  const changed = fc.tuple(name, change(subject), writeQuery).map(
    ([called, body, query]): Step => ({
      method: "PUT",
      path: objectPath(subject, called) + queryOf(query),
      over: `${subject.plural}/${called}`,
      body,
    }),
  );
  const version = fc.oneof(
    { weight: 3, arbitrary: fc.constant(undefined) },
    { weight: 3, arbitrary: pick("", ":1", ":2") },
  );
  const replaced = fc.tuple(name, wholeObject(subject), version, writeQuery).map(
    ([called, object, nth, query]): Step => ({
      method: "PUT",
      path: objectPath(subject, called) + queryOf(query),
      body: withVersion(
        object,
        nth === undefined ? undefined : `{version:${subject.plural}/${called}${nth}}`,
      ),
    }),
  );
  return fc.oneof({ weight: 3, arbitrary: changed }, { weight: 2, arbitrary: replaced });
}

function withVersion(object: JsonObject, resourceVersion: string | undefined): JsonObject {
  if (resourceVersion === undefined) return object;
  return { ...object, metadata: { ...(object.metadata as JsonObject), resourceVersion } };
}

/** A part of an object with metadata, in which null removes a field. */
function change(subject: Subject): Arbitrary<JsonObject> {
  const removal = option(pick(...topLevel(subject)), { nil: undefined, freq: 8 });
  return fc
    .tuple(subject.part, maybe(metadata), option(oddMetadata, { nil: {}, freq: 15 }), removal)
    .map(([part, meta, odd, removed]) => ({
      ...part,
      ...((meta || Object.keys(odd).length > 0) && { metadata: { ...meta, ...odd } }),
      ...(removed && { [removed]: null }),
    }));
}

function topLevel({ pointers }: Subject): string[] {
  return [...new Set(pointers.map((pointer) => pointer.split("/")[1] ?? ""))];
}

const mergeTypes = ["application/merge-patch+json", "application/strategic-merge-patch+json"] as const;

function patch(subject: Subject): Arbitrary<Step> {
  const merge = fc.tuple(pick(...mergeTypes), withMaybeVersion(subject, change(subject)));
  const json = fc.tuple(fc.constant("application/json-patch+json"), jsonPatch(subject));
  const typed: Arbitrary<[string, Json]> = fc.oneof(
    { weight: 2, arbitrary: merge },
    { weight: 1, arbitrary: json },
  );
  return fc.tuple(name, typed, writeQuery).map(([called, [type, body], query]) => ({
    method: "PATCH",
    path: objectPath(subject, called) + queryOf(query),
    type,
    body,
  }));
}

function withMaybeVersion(subject: Subject, body: Arbitrary<JsonObject>): Arbitrary<JsonObject> {
  const versions = pick("a", "a:1", "a:2").map((which) => `{version:${subject.plural}/${which}}`);
  return fc.tuple(body, option(versions, { nil: undefined, freq: 6 })).map(([object, version]) =>
    version === undefined
      ? object
      : {
          ...object,
          metadata: { ...(object.metadata as JsonObject | undefined), resourceVersion: version },
        },
  );
}

const metadataPointers = [
  "/metadata/labels",
  "/metadata/labels/tier",
  "/metadata/annotations/note",
  "/metadata/finalizers",
  "/metadata/finalizers/0",
  "/metadata/finalizers/-",
  "/metadata/name",
  "/metadata/resourceVersion",
  "",
];

function jsonPatch(subject: Subject): Arbitrary<Json> {
  const place = mostly(
    fc.oneof(pick(...subject.pointers), pick(...metadataPointers)),
    pick("a", "/", null, 1, "/data/~2"),
  );
  const step = fields({
    op: mostly(pick("add", "replace", "remove", "test", "add", "copy", "move"), pick("nope", null, "")),
    path: place,
    from: maybe(place),
    value: maybe(fc.oneof(subject.values, pick(null, "1", {}, [], "example.dev/hold"))),
  });
  return fc.oneof(
    { weight: 30, arbitrary: fc.array(step, { minLength: 1, maxLength: 3 }) },
    { weight: 1, arbitrary: pick({}, [], "[", [1], null) },
  );
}

const managers = ["one", "two", "three"];

/** Server-side apply by one of several managers. */
function application(subject: Subject): Arbitrary<Step> {
  const query = fields({
    fieldManager: mostly(pick(...managers), pick("", "x".repeat(129))),
    force: option(mostly(pick("true", "false"), pick("yes")), { nil: undefined, freq: 3 }),
    dryRun: option(pick("All"), { nil: undefined, freq: 12 }),
    fieldValidation: option(pick("Strict", "Warn", "Ignore"), { nil: undefined, freq: 10 }),
  });
  const body = fc.oneof(
    { weight: 2, arbitrary: objectOf(subject, subject.part) },
    { weight: 1, arbitrary: wholeObject(subject) },
  );
  const type = mostly(
    pick("application/apply-patch+yaml"),
    pick("application/apply-patch+json", "application/yaml"),
  );
  return fc.tuple(name, body, query, type).map(([called, object, options, contentType]) => ({
    method: "PATCH",
    path: objectPath(subject, called) + queryOf(options),
    type: String(contentType),
    body: { ...object, metadata: { ...(object.metadata as JsonObject), name: called } },
  }));
}

/** PUT, patch and apply through /status, also of fields that /status does not change. */
function statusWrite(subject: Subject): Arbitrary<Step> {
  const content = fc
    .tuple(subject.status ?? fc.constant({}), option(change(subject), { nil: {}, freq: 4 }))
    .map(([status, rest]): JsonObject => ({ ...rest, status }));
  const put = fc.tuple(name, content, writeQuery).map(
    ([called, body, query]): Step => ({
      method: "PUT",
      path: `${objectPath(subject, called)}/status${queryOf(query)}`,
      over: `${subject.plural}/${called}`,
      body,
    }),
  );
  const merged = fc.tuple(name, content, pick(...mergeTypes), writeQuery).map(
    ([called, body, type, query]): Step => ({
      method: "PATCH",
      path: `${objectPath(subject, called)}/status${queryOf(query)}`,
      type,
      body,
    }),
  );
  const applied = fc.tuple(name, content, pick(...managers), fc.boolean()).map(
    ([called, body, fieldManager, force]): Step => ({
      method: "PATCH",
      path: `${objectPath(subject, called)}/status${queryOf({ fieldManager, ...(force && { force: "true" }) })}`,
      type: "application/apply-patch+yaml",
      body: { apiVersion: subject.apiVersion, kind: subject.kind, metadata: { name: called }, ...body },
    }),
  );
  return fc.oneof(put, merged, applied);
}

function scaleStep(subject: Subject): Arbitrary<Step> {
  const spec = fields({ replicas: maybe(mostly(pick(0, 1, 3, -1))) });
  const scale = fc.tuple(spec, option(pick("a", "a:1"), { nil: undefined, freq: 3 }), name).map(
    ([content, version, called]): JsonObject => ({
      apiVersion: "autoscaling/v1",
      kind: "Scale",
      metadata: {
        name: called,
        namespace: "{ns}",
        ...(version && { resourceVersion: `{version:${subject.plural}/${version}}` }),
      },
      spec: content,
    }),
  );
  const path = (called: string): string => `${objectPath(subject, called)}/scale`;
  return fc.oneof(
    name.map((called): Step => ({ method: "GET", path: path(called) })),
    fc
      .tuple(name, scale, writeQuery)
      .map(([called, body, query]): Step => ({ method: "PUT", path: path(called) + queryOf(query), body })),
    fc.tuple(name, spec, pick(...mergeTypes), writeQuery).map(
      ([called, content, type, query]): Step => ({
        method: "PATCH",
        path: path(called) + queryOf(query),
        type,
        body: { spec: content },
      }),
    ),
    // kube-apiserver cannot apply the scale of a custom object: its conversion fails.
    fc.tuple(name, scale, pick(...managers)).map(
      ([called, body, fieldManager]): Step => ({
        method: subject.definition ? "GET" : "PATCH",
        path: path(called) + (subject.definition ? "" : queryOf({ fieldManager })),
        ...(!subject.definition && { type: "application/apply-patch+yaml", body }),
      }),
    ),
  );
}

/** Requests that no real client sends. */
function oddity(subject: Subject): Arbitrary<Step> {
  const text = pick(
    "",
    "{",
    "null",
    "[]",
    "1",
    '"x"',
    '{"kind":"X"}',
    '{"metadata":{"name":"a"},"metadata":{}}',
    "a: 1",
    "\u0000",
  );
  const types = pick("application/json", "application/yaml", "text/plain", "application/json; charset=utf-8");
  const patchTypes = pick(
    ...mergeTypes,
    "application/json-patch+json",
    "application/apply-patch+yaml",
    "application/json",
  );
  return fc.oneof(
    fc
      .tuple(text, types)
      .map(([body, type]): Step => ({ method: "POST", path: collectionPath(subject), type, body })),
    fc
      .tuple(name, text, types)
      .map(
        ([called, body, type]): Step => ({ method: "PUT", path: objectPath(subject, called), type, body }),
      ),
    fc.tuple(name, text, patchTypes).map(
      ([called, body, type]): Step => ({
        method: "PATCH",
        path: objectPath(subject, called) + (type.includes("apply") ? "?fieldManager=one" : ""),
        type,
        body,
      }),
    ),
    name.map((called): Step => ({ method: "POST", path: objectPath(subject, called), body: {} })),
    name.map((called): Step => ({ method: "GET", path: `${objectPath(subject, called)}/nope` })),
    name.map((): Step => ({ method: "PUT", path: collectionPath(subject), body: {} })),
  );
}

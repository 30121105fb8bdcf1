import fc, { type Arbitrary } from "fast-check";
import { fields, mostly, option, pick } from "./arbitraries.ts";
import { collectionPath, name, objectPath, queryOf } from "./arbitrary-request.ts";
import type { Json, Step } from "./script.ts";
import type { Subject } from "./subject.ts";

const often = { nil: undefined, freq: 2 } as const;
const seldom = { nil: undefined, freq: 8 } as const;

/** GET of an object and of a collection. */
export function reads(subject: Subject): Arbitrary<Step> {
  return fc.oneof({ weight: 1, arbitrary: oneObject(subject) }, { weight: 3, arbitrary: list(subject) });
}

const accepts = mostly(
  fc.constant(undefined),
  pick(
    "application/json;as=Table;g=meta.k8s.io;v=v1",
    "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1",
    "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1",
    "application/yaml",
    "text/html",
    "*/*",
  ),
) as Arbitrary<string | undefined>;

function oneObject(subject: Subject): Arbitrary<Step> {
  const query = fields({
    resourceVersion: option(mostly(pick("0", "")), seldom),
    pretty: option(pick("true"), seldom),
  });
  return fc.tuple(name, query, accepts).map(([called, options, accept]) => ({
    method: "GET",
    path: objectPath(subject, called) + queryOf(options),
    ...(accept && { accept }),
  }));
}

function selectors({ fields: own }: Subject): Record<string, Arbitrary<unknown>> {
  return {
    labelSelector: option(
      mostly(
        pick(
          "tier=a",
          "tier!=a",
          "tier in (a,b)",
          "tier notin (a)",
          "tier",
          "!tier",
          "tier=a,app=b",
          "app==",
          "tier=",
        ),
        pick("tier in a", "=", "tier=a=b", "a b", "tier in ()", "tier>x", "no spaces/x/y=1"),
      ),
      often,
    ),
    fieldSelector: option(
      mostly(
        pick(
          "metadata.name=a",
          "metadata.name!=a",
          "metadata.namespace={ns}",
          "metadata.name=a,metadata.name=b",
          ...own,
        ),
        pick("spec.nope=1", "metadata.name", "metadata.uid=1", "x"),
      ),
      { nil: undefined, freq: 4 },
    ),
  };
}

function list(subject: Subject): Arbitrary<Step> {
  const query = fields({
    ...selectors(subject),
    limit: option(mostly(pick("1", "2", "0"), pick("-1", "x")), often),
    continue: option(mostly(fc.constant(`{continue:${subject.plural}}`), pick("nope", "e30")), {
      nil: undefined,
      freq: 3,
    }),
    resourceVersion: option(mostly(pick("0", `{version:${subject.plural}/a}`), pick("x", "-1")), {
      nil: undefined,
      freq: 5,
    }),
    resourceVersionMatch: option(mostly(pick("NotOlderThan", "Exact"), pick("Nope")), {
      nil: undefined,
      freq: 6,
    }),
  });
  return fc.tuple(query, accepts).map(([options, accept]) => ({
    method: "GET",
    path: collectionPath(subject) + queryOf(options),
    ...(accept && { accept }),
  }));
}

/** DELETE of an object and of a collection. */
export function deletions(subject: Subject): Arbitrary<Step> {
  return fc.oneof(
    { weight: 5, arbitrary: oneDeletion(subject) },
    { weight: 1, arbitrary: collectionDeletion(subject) },
  );
}

function deleteOptions(subject: Subject): Arbitrary<Json | undefined> {
  const preconditions = fields({
    uid: option(pick(`{uid:${subject.plural}/a}`, `{uid:${subject.plural}/b}`, "none"), often),
    resourceVersion: option(
      pick(`{version:${subject.plural}/a}`, `{version:${subject.plural}/a:1}`, "1"),
      often,
    ),
  });
  const options = fields({
    apiVersion: option(mostly(pick("v1", "meta.k8s.io/v1")), often),
    kind: option(mostly(pick("DeleteOptions")), often),
    preconditions: option(mostly(preconditions), { nil: undefined, freq: 3 }),
    propagationPolicy: option(mostly(pick("Background", "Foreground", "Orphan"), pick("Nope", "")), {
      nil: undefined,
      freq: 4,
    }),
    orphanDependents: option(fc.boolean(), { nil: undefined, freq: 10 }),
    gracePeriodSeconds: option(mostly(pick(0, 30), pick(-1)), { nil: undefined, freq: 4 }),
    dryRun: option(mostly(pick(["All"]), pick(["Nope"], [], ["All", "All"])), { nil: undefined, freq: 8 }),
    unknown: option(pick(1), { nil: undefined, freq: 20 }),
  });
  return option(options, often);
}

const deleteQuery = fields({
  dryRun: option(pick("All"), { nil: undefined, freq: 12 }),
  propagationPolicy: option(mostly(pick("Background", "Foreground", "Orphan"), pick("Nope")), {
    nil: undefined,
    freq: 8,
  }),
  gracePeriodSeconds: option(mostly(pick("0", "5"), pick("x", "-1")), { nil: undefined, freq: 8 }),
});

function oneDeletion(subject: Subject): Arbitrary<Step> {
  return fc.tuple(name, deleteOptions(subject), deleteQuery).map(([called, body, query]) => ({
    method: "DELETE",
    path: objectPath(subject, called) + queryOf(query),
    ...(body !== undefined && { body }),
  }));
}

function collectionDeletion(subject: Subject): Arbitrary<Step> {
  return fc
    .tuple(fields(selectors(subject)), deleteQuery, deleteOptions(subject))
    .map(([selected, query, body]) => ({
      method: "DELETE",
      path: collectionPath(subject) + queryOf({ ...selected, ...query }),
      ...(body !== undefined && { body }),
    }));
}

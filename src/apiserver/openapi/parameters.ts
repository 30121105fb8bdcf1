/** A parameter of a request in OpenAPI 3.0. */
export interface Parameter {
  readonly name: string;
  readonly in: "query" | "path";
  readonly required?: true;
  readonly schema: { readonly type: string; readonly uniqueItems: true };
}

type QueryType = "string" | "boolean" | "integer";

const types: Readonly<Record<QueryName, QueryType>> = {
  allowWatchBookmarks: "boolean",
  continue: "string",
  dryRun: "string",
  fieldManager: "string",
  fieldSelector: "string",
  fieldValidation: "string",
  force: "boolean",
  gracePeriodSeconds: "integer",
  ignoreStoreReadErrorWithClusterBreakingPotential: "boolean",
  labelSelector: "string",
  limit: "integer",
  orphanDependents: "boolean",
  pretty: "string",
  propagationPolicy: "string",
  resourceVersion: "string",
  resourceVersionMatch: "string",
  sendInitialEvents: "boolean",
  shardSelector: "string",
  timeoutSeconds: "integer",
  watch: "boolean",
};

export type QueryName =
  | "allowWatchBookmarks"
  | "continue"
  | "dryRun"
  | "fieldManager"
  | "fieldSelector"
  | "fieldValidation"
  | "force"
  | "gracePeriodSeconds"
  | "ignoreStoreReadErrorWithClusterBreakingPotential"
  | "labelSelector"
  | "limit"
  | "orphanDependents"
  | "pretty"
  | "propagationPolicy"
  | "resourceVersion"
  | "resourceVersionMatch"
  | "sendInitialEvents"
  | "shardSelector"
  | "timeoutSeconds"
  | "watch";

const listOptions: readonly QueryName[] = [
  "continue",
  "fieldSelector",
  "labelSelector",
  "limit",
  "resourceVersion",
  "resourceVersionMatch",
  "sendInitialEvents",
  "shardSelector",
  "timeoutSeconds",
];
const deleteOptions: readonly QueryName[] = [
  "dryRun",
  "gracePeriodSeconds",
  "ignoreStoreReadErrorWithClusterBreakingPotential",
  "orphanDependents",
  "propagationPolicy",
];
const writeOptions: readonly QueryName[] = ["dryRun", "fieldManager", "fieldValidation"];

/** The query parameters of each verb, besides `pretty`. */
export const queryNames: Readonly<Record<QueriedVerb, readonly QueryName[]>> = {
  list: [...listOptions, "allowWatchBookmarks", "watch"],
  deletecollection: [...listOptions, ...deleteOptions],
  delete: deleteOptions,
  create: writeOptions,
  update: writeOptions,
  patch: [...writeOptions, "force"],
};

type QueriedVerb = "list" | "deletecollection" | "delete" | "create" | "update" | "patch";

export function queryParameters(names: readonly QueryName[]): Parameter[] {
  return names.map((name) => ({ name, in: "query", schema: { type: types[name], uniqueItems: true } }));
}

/** Returns the parameters in the braces of a path. */
export function pathParameters(path: string): Parameter[] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  return names.map((name) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string", uniqueItems: true },
  }));
}

/** Returns parameters in the order of the document: by name. */
export function sorted(parameters: readonly Parameter[]): Parameter[] {
  return [...parameters].sort((one, other) => (one.name < other.name ? -1 : 1));
}

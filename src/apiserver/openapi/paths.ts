import type { Resource, ServedSubresource } from "../types/resource.ts";
import { capital, metaNames, schemaName, tagOf, versionWords } from "./names.ts";
import {
  builtinTypes,
  customTypes,
  type Method,
  type Operation,
  type PathItem,
  requestBody,
  responses,
} from "./operation.ts";
import { type QueryName, queryNames, queryParameters } from "./parameters.ts";
import { type Methods, pathItem } from "./path-item.ts";

/** Returns all paths of a resource with their methods. Subresources that only connect (`exec`) have none. */
export function resourcePaths(resource: Resource): Array<[string, PathItem]> {
  const base = basePath(resource);
  const scoped = resource.namespaced ? `${base}/namespaces/{namespace}` : base;
  const [collection, object] = [`${scoped}/${resource.plural}`, `${scoped}/${resource.plural}/{name}`];
  const allNamespaces = resource.namespaced && resource.verbs.includes("list");
  const paths: Array<[string, Methods]> = [
    [collection, methodsOf(resource, collectionVerbs)],
    [object, methodsOf(resource, objectVerbs)],
    ...subresourcesOf(resource).map((subresource): [string, Methods] => [
      `${object}/${subresource.name}`,
      subresourceMethods(resource, subresource),
    ]),
    ...(allNamespaces
      ? [[`${base}/${resource.plural}`, { get: listAllNamespaces(resource) }] as [string, Methods]]
      : []),
    ...watchPaths(resource),
  ];
  return paths
    .filter(([, methods]) => Object.keys(methods).length > 0)
    .map(([path, methods]) => [path, pathItem(path, methods)]);
}

export function basePath({ group, version }: Pick<Resource, "group" | "version">): string {
  return group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
}

type Verb = keyof typeof verbs;

/** The HTTP method, action, operation id prefix and status codes of each verb. */
const verbs = {
  list: { method: "get", action: "list", idPrefix: "list", codes: [200] },
  create: { method: "post", action: "post", idPrefix: "create", codes: [200, 201, 202] },
  deletecollection: { method: "delete", action: "deletecollection", idPrefix: "delete", codes: [200] },
  get: { method: "get", action: "get", idPrefix: "read", codes: [200] },
  update: { method: "put", action: "put", idPrefix: "replace", codes: [200, 201] },
  delete: { method: "delete", action: "delete", idPrefix: "delete", codes: [200, 202] },
  patch: { method: "patch", action: "patch", idPrefix: "patch", codes: [200, 201] },
} as const satisfies Readonly<Record<string, VerbInfo>>;

interface VerbInfo {
  readonly method: Method;
  readonly action: string;
  readonly idPrefix: string;
  readonly codes: readonly number[];
}

const collectionVerbs: readonly Verb[] = ["list", "create", "deletecollection"];
const objectVerbs: readonly Verb[] = ["get", "update", "delete", "patch"];
const subresourceVerbs: readonly Verb[] = ["get", "update", "create", "patch"];

function methodsOf(resource: Resource, candidates: readonly Verb[]): Methods {
  const supported = candidates.filter((verb) => resource.verbs.includes(verb));
  return Object.fromEntries(supported.map((verb) => [verbs[verb].method, operation(resource, verb)]));
}

/** Returns the subresources that have a schema, which are those that neither connect nor stream text. */
function subresourcesOf({ subresources }: Resource): ServedSubresource[] {
  return subresources.filter(({ name, kind }) => !kind.endsWith("Options") && name !== "log");
}

function subresourceMethods(resource: Resource, subresource: ServedSubresource): Methods {
  const supported = subresourceVerbs.filter((verb) => subresource.verbs.includes(verb));
  return Object.fromEntries(
    supported.map((verb) => [verbs[verb].method, operation(resource, verb, subresource)]),
  );
}

function operation(resource: Resource, verb: Verb, subresource?: ServedSubresource): Operation {
  const scope = `${verb === "deletecollection" ? "Collection" : ""}${resource.namespaced ? "Namespaced" : ""}`;
  const subject = `${scope}${resource.kind}${subresource ? capital(subresource.name) : ""}`;
  return {
    tags: [tagOf(resource)],
    operationId: `${verbs[verb].idPrefix}${versionWords(resource)}${subject}`,
    parameters: queryParameters(queryOf(resource, verb)),
    ...bodyOf(resource, verb, subresource),
    responses: responsesOf(resource, verb, subresource),
    ...extensionsOf(resource, verbs[verb].action, subresource),
  };
}

/** Returns the query parameters of a verb. They differ for custom resources in two cases. */
function queryOf({ custom }: Resource, verb: Verb): readonly QueryName[] {
  if (verb === "get") return custom ? ["resourceVersion"] : [];
  return custom && verb === "deletecollection" ? queryNames.list : queryNames[verb];
}

function bodyOf(
  resource: Resource,
  verb: Verb,
  subresource?: ServedSubresource,
): Pick<Operation, "requestBody"> {
  const types = resource.custom ? customTypes : builtinTypes;
  switch (verb) {
    case "create":
    case "update":
      return { requestBody: requestBody(types.request, schemaOf(resource, subresource), { required: true }) };
    case "patch":
      return { requestBody: requestBody(types.patch, metaNames.patch, { required: true }) };
    case "delete":
      return { requestBody: requestBody(types.request, metaNames.deleteOptions, { required: false }) };
    case "deletecollection":
      return resource.custom
        ? {}
        : { requestBody: requestBody(types.request, metaNames.deleteOptions, { required: false }) };
    case "get":
    case "list":
      return {};
  }
}

function responsesOf(resource: Resource, verb: Verb, subresource?: ServedSubresource): object {
  const types = resource.custom ? customTypes : builtinTypes;
  const { codes } = verbs[verb];
  switch (verb) {
    case "list":
      return responses(codes, types.stream, listSchemaOf(resource));
    case "deletecollection":
      return responses(codes, types.response, metaNames.status);
    case "delete":
      return responses(
        codes,
        types.response,
        describesDeleted(resource) ? schemaOf(resource) : metaNames.status,
      );
    case "patch":
      return responses(resource.custom ? [200] : codes, types.response, schemaOf(resource, subresource));
    case "create":
    case "get":
    case "update":
      return responses(codes, types.response, schemaOf(resource, subresource));
  }
}

/** Returns true if a delete is described to return the object. kube-apiserver describes a Status for Namespaces. */
function describesDeleted({ group, kind, strategy }: Resource): boolean {
  return strategy.returnsDeleted === true && !(group === "" && kind === "Namespace");
}

/** Returns the extensions of an operation. Subresources of custom resources have the kind of the resource. */
function extensionsOf(
  resource: Resource,
  action: string,
  subresource?: ServedSubresource,
): Partial<Operation> {
  const { group, version, kind } = resource.custom ? resource : (subresource ?? resource);
  return { "x-kubernetes-action": action, "x-kubernetes-group-version-kind": { group, version, kind } };
}

function schemaOf(resource: Resource, subresource?: ServedSubresource): string {
  return schemaName(subresource ?? resource, resource);
}

function listSchemaOf(resource: Resource): string {
  return schemaName({ ...resource, kind: resource.listKind }, resource);
}

function listAllNamespaces(resource: Resource): Operation {
  const { tags, ...list } = operation({ ...resource, namespaced: false }, "list");
  return { tags, ...list, operationId: `${list.operationId}ForAllNamespaces` };
}

/** Returns the deprecated watch paths, which only built-in resources have. */
function watchPaths(resource: Resource): Array<[string, Methods]> {
  if (resource.custom || !resource.verbs.includes("watch")) return [];
  const base = `${basePath(resource)}/watch`;
  const { namespaced, plural, kind } = resource;
  const scoped = namespaced ? `${base}/namespaces/{namespace}` : base;
  const subject = namespaced ? `Namespaced${kind}` : kind;
  return [
    [`${scoped}/${plural}`, { get: watchOperation(resource, `${subject}List`, "watchlist") }],
    [`${scoped}/${plural}/{name}`, { get: watchOperation(resource, subject, "watch") }],
    ...(namespaced
      ? [
          [
            `${base}/${plural}`,
            { get: watchOperation(resource, `${kind}ListForAllNamespaces`, "watchlist") },
          ] as [string, Methods],
        ]
      : []),
  ];
}

function watchOperation(resource: Resource, subject: string, action: string): Operation {
  return {
    tags: [tagOf(resource)],
    operationId: `watch${versionWords(resource)}${subject}`,
    parameters: queryParameters(queryNames.list),
    responses: responses([200], builtinTypes.stream, metaNames.watchEvent),
    ...extensionsOf(resource, action),
  };
}

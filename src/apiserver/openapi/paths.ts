import type { Resource, ServedSubresource } from "../resource.ts";
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

/** All paths under which a resource is served, with their methods. Parts that only connect (`exec`) are left out. */
export function resourcePaths(resource: Resource): Array<[string, PathItem]> {
  const base = basePath(resource);
  const scoped = resource.namespaced ? `${base}/namespaces/{namespace}` : base;
  const [collection, object] = [`${scoped}/${resource.plural}`, `${scoped}/${resource.plural}/{name}`];
  const everywhere = resource.namespaced && resource.verbs.includes("list");
  const paths: Array<[string, Methods]> = [
    [collection, methodsOf(resource, collectionVerbs)],
    [object, methodsOf(resource, objectVerbs)],
    ...parts(resource).map((part): [string, Methods] => [
      `${object}/${part.name}`,
      partMethods(resource, part),
    ]),
    ...(everywhere
      ? [[`${base}/${resource.plural}`, { get: listEverywhere(resource) }] as [string, Methods]]
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

/** How each verb is asked for, called, and answered. */
const verbs = {
  list: { method: "get", action: "list", word: "list", codes: [200] },
  create: { method: "post", action: "post", word: "create", codes: [200, 201, 202] },
  deletecollection: { method: "delete", action: "deletecollection", word: "delete", codes: [200] },
  get: { method: "get", action: "get", word: "read", codes: [200] },
  update: { method: "put", action: "put", word: "replace", codes: [200, 201] },
  delete: { method: "delete", action: "delete", word: "delete", codes: [200, 202] },
  patch: { method: "patch", action: "patch", word: "patch", codes: [200, 201] },
} as const satisfies Readonly<Record<string, VerbFacts>>;

interface VerbFacts {
  readonly method: Method;
  readonly action: string;
  readonly word: string;
  readonly codes: readonly number[];
}

const collectionVerbs: readonly Verb[] = ["list", "create", "deletecollection"];
const objectVerbs: readonly Verb[] = ["get", "update", "delete", "patch"];
const partVerbs: readonly Verb[] = ["get", "update", "create", "patch"];

function methodsOf(resource: Resource, wanted: readonly Verb[]): Methods {
  const chosen = wanted.filter((verb) => resource.verbs.includes(verb));
  return Object.fromEntries(chosen.map((verb) => [verbs[verb].method, operation(resource, verb)]));
}

/** What is only connected to, or streams text, has no schema to tell of. */
function parts({ subresources }: Resource): ServedSubresource[] {
  return subresources.filter(({ name, kind }) => !kind.endsWith("Options") && name !== "log");
}

function partMethods(resource: Resource, part: ServedSubresource): Methods {
  const chosen = partVerbs.filter((verb) => part.verbs.includes(verb));
  return Object.fromEntries(chosen.map((verb) => [verbs[verb].method, operation(resource, verb, part)]));
}

function operation(resource: Resource, verb: Verb, part?: ServedSubresource): Operation {
  const scope = `${verb === "deletecollection" ? "Collection" : ""}${resource.namespaced ? "Namespaced" : ""}`;
  const subject = `${scope}${resource.kind}${part ? capital(part.name) : ""}`;
  return {
    tags: [tagOf(resource)],
    operationId: `${verbs[verb].word}${versionWords(resource)}${subject}`,
    parameters: queryParameters(queryOf(resource, verb)),
    ...bodyOf(resource, verb, part),
    responses: answersOf(resource, verb, part),
    ...about(resource, verbs[verb].action, part),
  };
}

/** Custom kinds take another set of parameters in two places. */
function queryOf({ custom }: Resource, verb: Verb): readonly QueryName[] {
  if (verb === "get") return custom ? ["resourceVersion"] : [];
  return custom && verb === "deletecollection" ? queryNames.list : queryNames[verb];
}

function bodyOf(resource: Resource, verb: Verb, part?: ServedSubresource): Pick<Operation, "requestBody"> {
  const types = resource.custom ? customTypes : builtinTypes;
  switch (verb) {
    case "create":
    case "update":
      return { requestBody: requestBody(types.request, schemaOf(resource, part), { required: true }) };
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

function answersOf(resource: Resource, verb: Verb, part?: ServedSubresource): object {
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
        resource.strategy.returnsDeleted ? schemaOf(resource) : metaNames.status,
      );
    case "patch":
      return responses(resource.custom ? [200] : codes, types.response, schemaOf(resource, part));
    case "create":
    case "get":
    case "update":
      return responses(codes, types.response, schemaOf(resource, part));
  }
}

/** Custom kinds file the operations of their parts under themselves. */
function about(resource: Resource, action: string, part?: ServedSubresource): Partial<Operation> {
  const { group, version, kind } = resource.custom ? resource : (part ?? resource);
  return { "x-kubernetes-action": action, "x-kubernetes-group-version-kind": { group, version, kind } };
}

function schemaOf(resource: Resource, part?: ServedSubresource): string {
  return schemaName(part ?? resource, resource);
}

function listSchemaOf(resource: Resource): string {
  return schemaName({ ...resource, kind: resource.listKind }, resource);
}

function listEverywhere(resource: Resource): Operation {
  const { tags, ...list } = operation({ ...resource, namespaced: false }, "list");
  return { tags, ...list, operationId: `${list.operationId}ForAllNamespaces` };
}

/** The old way to watch, which only built-in kinds have. */
function watchPaths(resource: Resource): Array<[string, Methods]> {
  if (resource.custom || !resource.verbs.includes("watch")) return [];
  const base = `${basePath(resource)}/watch`;
  const { namespaced, plural, kind } = resource;
  const scoped = namespaced ? `${base}/namespaces/{namespace}` : base;
  const subject = namespaced ? `Namespaced${kind}` : kind;
  return [
    [`${scoped}/${plural}`, { get: watching(resource, `${subject}List`, "watchlist") }],
    [`${scoped}/${plural}/{name}`, { get: watching(resource, subject, "watch") }],
    ...(namespaced
      ? [
          [`${base}/${plural}`, { get: watching(resource, `${kind}ListForAllNamespaces`, "watchlist") }] as [
            string,
            Methods,
          ],
        ]
      : []),
  ];
}

function watching(resource: Resource, subject: string, action: string): Operation {
  return {
    tags: [tagOf(resource)],
    operationId: `watch${versionWords(resource)}${subject}`,
    parameters: queryParameters(queryNames.list),
    responses: responses([200], builtinTypes.stream, metaNames.watchEvent),
    ...about(resource, action),
  };
}

import { facts, release } from "../../api/types/facts.ts";
import type { Steps } from "../../base/index.ts";
import { documentOf } from "../discovery/documents.ts";
import type { Served, ServedVersion } from "../discovery/served.ts";
import type { Resource } from "../types/resource.ts";
import {
  coreDiscovery,
  groupDiscovery,
  groupsDiscovery,
  versionDiscovery,
  versionInfoPath,
} from "./discovery-paths.ts";
import { metaNames, schemaName } from "./names.ts";
import { builtinTypes, customTypes, type PathItem } from "./operation.ts";
import { resourcePaths } from "./paths.ts";
import { type SwaggerPath, swaggerPath } from "./swagger-paths.ts";
import { definitionEntry, documentChunks, pathEntry } from "./swagger-protobuf.ts";
import {
  builtinDefinition,
  customDefinition,
  customListDefinition,
  type SwaggerSchema,
} from "./swagger-schema.ts";

/** The OpenAPI 2.0 document of all served kinds. */
export interface SwaggerDocument {
  readonly json: Buffer;
  readonly protobuf: readonly Buffer[];
  /** The hash of the JSON form. Both forms have it as their ETag. */
  readonly hash: string;
}

/** Makes the document of all served kinds. Pauses are possible after each path and definition. */
export function* swaggerDocument(served: Served): Steps<SwaggerDocument> {
  const paths = yield* writtenParts(sortedByName(yield* pathsOf(served)), pathEntry);
  const custom = customDefinitions(served);
  const definitions = yield* writtenParts(yield* reachable(custom, paths.json), definitionEntry);
  const head = `"swagger":"2.0","info":${JSON.stringify(info)}`;
  const parts = `"paths":{${paths.json.join()}},"definitions":{${definitions.json.join()}}`;
  const tail = `"securityDefinitions":${JSON.stringify({ BearerToken: token })},"security":[{"BearerToken":[]}]`;
  yield;
  const { json, hash } = documentOf(`{${head},${parts},${tail}}`);
  yield;
  const protobuf = documentChunks({ info, token, paths: paths.protobuf, definitions: definitions.protobuf });
  return { json: Buffer.from(json), protobuf, hash };
}

const info = { title: "Kubernetes", version: release.replace(/^v(\d+\.\d+).*$/, "$1") };
const token = { type: "apiKey", name: "authorization", in: "header" };

interface WrittenParts {
  readonly json: readonly string[];
  readonly protobuf: readonly Buffer[];
}

function* writtenParts<T>(
  parts: ReadonlyArray<readonly [string, T]>,
  entry: (name: string, value: T) => Buffer,
): Steps<WrittenParts> {
  const json: string[] = [];
  const protobuf: Buffer[] = [];
  for (const [name, value] of parts) {
    json.push(`${JSON.stringify(name)}:${JSON.stringify(value)}`);
    protobuf.push(entry(name, value));
    yield;
  }
  return { json, protobuf };
}

type PathEntry = readonly [path: string, item: SwaggerPath];

function* pathsOf({ groups, resources }: Served): Steps<PathEntry[]> {
  const paths: PathEntry[] = [
    ...discoveryPaths(groups.flatMap(({ versions }) => versions)),
    inSwagger(versionInfoPath(), ["application/json"]),
  ];
  for (const resource of resources) {
    const { request } = resource.custom ? customTypes : builtinTypes;
    paths.push(...resourcePaths(resource).map((entry) => inSwagger(entry, request)));
    yield;
  }
  return paths;
}

/** Returns the paths of discovery. Groups that have custom kinds only have none. */
function discoveryPaths(versions: readonly ServedVersion[]): PathEntry[] {
  const builtin = versions.filter(({ custom }) => !custom);
  const groups = new Set(builtin.map(({ group }) => group).filter((group) => group !== ""));
  const items = [
    coreDiscovery(),
    groupsDiscovery(),
    ...[...groups].map(groupDiscovery),
    ...builtin.map(versionDiscovery),
  ];
  return items.map((item) => inSwagger(item, discoveryTypes));
}

const discoveryTypes = ["application/json", "application/yaml", "application/vnd.kubernetes.protobuf"];

function inSwagger([path, item]: readonly [string, PathItem], types: readonly string[]): PathEntry {
  return [path, swaggerPath(item, types)];
}

type Definitions = ReadonlyMap<string, SwaggerSchema>;

function customDefinitions({ resources }: Served): Definitions {
  const custom = resources.filter((resource) => resource.custom);
  return new Map(
    custom.flatMap((resource) => [
      [schemaName(resource, resource), customDefinition(resource)],
      [listName(resource), customListDefinition(resource)],
    ]),
  );
}

function listName(resource: Resource): string {
  return schemaName({ ...resource, kind: resource.listKind }, resource);
}

/** Returns the custom definitions, the definitions that they and the paths refer to, and so on. */
function* reachable(
  custom: Definitions,
  paths: readonly string[],
): Steps<Array<readonly [string, SwaggerSchema]>> {
  const names = new Set([...custom.keys(), metaNames.status]);
  for (const path of paths) {
    for (const name of refsIn(path)) names.add(name);
    yield;
  }
  const found: Array<readonly [string, SwaggerSchema]> = [];
  // The set grows during the iteration.
  for (const name of names) {
    const schema = custom.get(name) ?? builtinOf(name);
    if (!schema) continue;
    found.push([name, schema]);
    for (const ref of refsIn(JSON.stringify(schema))) names.add(ref);
    yield;
  }
  return sortedByName(found);
}

function builtinOf(name: string): SwaggerSchema | undefined {
  const schema = facts().schemas.get(name);
  return schema && builtinDefinition(schema);
}

/** Returns the names of all definitions that a JSON text refers to, with duplicates. */
function refsIn(json: string): string[] {
  return Array.from(json.matchAll(/"\$ref":"#\/definitions\/([^"]+)"/g), ([, name = ""]) => name);
}

function sortedByName<T>(entries: ReadonlyArray<readonly [string, T]>): Array<readonly [string, T]> {
  return [...entries].sort(([one], [other]) => (one < other ? -1 : 1));
}

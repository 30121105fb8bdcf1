import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Resource, ServedGroup } from "./discovery.ts";
import { readGroups, readResources } from "./discovery.ts";
import { addEnums } from "./enums.ts";
import { addGoFields, type PackageFolder } from "./go-fields.ts";
import { readInternals } from "./internal-structs.ts";
import type { Schema } from "./schema.ts";

/** The input of the generator for a release. Everything in it has a fixed order. */
export interface Source {
  /** Core first, then the others, each with its versions in order of preference. */
  readonly groups: readonly ServedGroup[];
  readonly resources: readonly Resource[];
  /** By OpenAPI name, like `io.k8s.api.core.v1.Pod`, sorted. */
  readonly schemas: ReadonlyMap<string, Schema>;
  /** The structs that the server prints in errors, each with its fields. */
  readonly internals: ReadonlyArray<readonly [struct: string, fields: string]>;
  /** Finds the Go package of a schema. */
  readonly folderOf: PackageFolder;
}

/** Returns the folder that has `api/openapi-spec`: the given one, or the Go module of the release. */
export function sourceFolder(release: string, given: string | undefined): string {
  const folder = given ?? moduleFolder(`k8s.io/kubernetes@${release}`);
  if (existsSync(join(folder, "api/openapi-spec/v3"))) return folder;
  throw new Error(`expected a Kubernetes source tree with api/openapi-spec/v3, got ${folder}`);
}

function moduleFolder(module: string): string {
  try {
    const answer = execFileSync("go", ["mod", "download", "-json", module], { encoding: "utf8" });
    return (JSON.parse(answer) as { readonly Dir: string }).Dir;
  } catch (cause) {
    throw new Error(`expected Go to fetch ${module}, got none; name a copy with --from DIR`, { cause });
  }
}

/**
 * Returns the folder of a library package that Kubernetes publishes: in its own tree, or else the Go module of the same
 * release.
 */
function libraryFolder(folder: string, release: string): PackageFolder {
  const modules = new Map<string, string>();
  return (goPackage) => {
    const [host = "", library = "", ...rest] = goPackage.split("/");
    const beside = join(folder, "staging/src", host, library);
    const module = `${host}/${library}@${release.replace(/^v1/, "v0")}`;
    const found = modules.get(module) ?? (existsSync(beside) ? beside : moduleFolder(module));
    modules.set(module, found);
    return join(found, ...rest);
  };
}

export function readSource(folder: string, release: string): Source {
  const schemas = readSchemas(join(folder, "api/openapi-spec/v3"));
  addEnums(schemas, readFileSync(join(folder, "pkg/generated/openapi/zz_generated.openapi.go"), "utf8"));
  const libraries = libraryFolder(folder, release);
  addGoFields(schemas, libraries);
  const groups = readGroups(join(folder, "api/discovery"));
  const internals = readInternals(join(folder, "pkg/apis/core"), libraries("k8s.io/api/core/v1"));
  const resources = readResources(join(folder, "api/discovery"), groups);
  return { groups, resources, schemas, internals, folderOf: libraries };
}

interface OpenApiDocument {
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

/** Every document repeats the schemas it refers to. The copies differ only in descriptions and in group versions. */
function readSchemas(folder: string): Map<string, Schema> {
  const schemas = new Map<string, Schema>();
  for (const file of readdirSync(folder).sort()) {
    const document = JSON.parse(readFileSync(join(folder, file), "utf8")) as OpenApiDocument;
    for (const [name, schema] of Object.entries(document.components?.schemas ?? {})) {
      const known = schemas.get(name);
      if (known) mergeGroupVersionKinds(known, schema);
      else schemas.set(name, schema);
    }
  }
  return new Map([...schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
}

const gvk = "x-kubernetes-group-version-kind";

function mergeGroupVersionKinds(known: Schema, other: Schema): void {
  for (const name of other[gvk] ?? []) {
    const same = known[gvk]?.some((one) => one.group === name.group && one.version === name.version);
    if (!same) known[gvk]?.push(name);
  }
}

import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface ServedGroup {
  readonly name: string;
  /** Versions, the preferred one first. */
  readonly versions: readonly string[];
}

export interface Resource {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly string[];
  readonly subresources: readonly Subresource[];
}

export interface Subresource {
  readonly name: string;
  /** Kind of the body, which often differs from the resource's kind. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly verbs: readonly string[];
}

/** One line of a discovery document. A subresource is a separate line, as `pods/log`. */
interface Entry {
  readonly name: string;
  readonly kind: string;
  readonly singularName: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly group?: string;
  readonly version?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

export function readGroups(folder: string): ServedGroup[] {
  const { groups } = read(folder, "apis.json") as {
    readonly groups: readonly {
      readonly name: string;
      readonly versions: readonly { readonly version: string }[];
    }[];
  };
  const named = groups.map(({ name, versions }) => ({
    name,
    versions: versions.map(({ version }) => version),
  }));
  return [{ name: "", versions: ["v1"] }, ...named];
}

export function readResources(folder: string, groups: readonly ServedGroup[]): Resource[] {
  return groups.flatMap(({ name, versions }) =>
    versions.flatMap((version) => {
      const file = name === "" ? `api__${version}.json` : `apis__${name}__${version}.json`;
      const { resources } = read(folder, file) as { readonly resources: readonly Entry[] };
      return resources
        .filter((entry) => !entry.name.includes("/"))
        .map((entry) => resource({ group: name, version }, entry, resources));
    }),
  );
}

interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

function resource(at: GroupVersion, entry: Entry, all: readonly Entry[]): Resource {
  const { name, kind, singularName, namespaced, shortNames = [], categories = [], verbs } = entry;
  const subresources = all
    .filter((other) => other.name.startsWith(`${name}/`))
    .map((other) => subresource(at, other));
  return {
    ...at,
    kind,
    plural: name,
    singular: singularName,
    namespaced,
    shortNames,
    categories,
    verbs,
    subresources,
  };
}

function subresource(at: GroupVersion, { name, group, version, kind, verbs }: Entry): Subresource {
  const short = name.slice(name.indexOf("/") + 1);
  return {
    name: short,
    group: version ? (group ?? "") : at.group,
    version: version ?? at.version,
    kind,
    verbs,
  };
}

function read(folder: string, file: string): unknown {
  return JSON.parse(readFileSync(join(folder, file), "utf8"));
}

import { facts } from "../../api/types/facts.ts";
import type { Resource } from "../resource.ts";
import { compareVersions } from "./version-order.ts";

/** What is served, in the order that discovery tells it. Equal lists of resources give the same value. */
export interface Served {
  readonly resources: readonly Resource[];
  /** The core group first, the other built-in ones by their rank, those of custom kinds by name. */
  readonly groups: readonly ServedGroup[];
}

export interface ServedGroup {
  /** Empty for the core group. */
  readonly name: string;
  /** The preferred one first. */
  readonly versions: readonly ServedVersion[];
}

export interface ServedVersion {
  readonly group: string;
  readonly version: string;
  /** `v1`, `apps/v1` */
  readonly groupVersion: string;
  /** Whether custom kinds alone are in it: some things about it are answered differently then. */
  readonly custom: boolean;
  readonly resources: readonly Resource[];
}

/**
 * What is served by `resources`. What others derive from it may be kept in a `WeakMap` of it: it is the same value
 * until a resource comes or goes.
 */
export function servedBy(resources: readonly Resource[]): Served {
  const [last] = resources.slice(-1);
  if (!last) return { resources, groups: [] };
  const known = latest.get(last);
  if (known && sameItems(known.resources, resources)) return known;
  const made = { resources: [...resources], groups: groupsOf(resources) };
  latest.set(last, made);
  return made;
}

/** By the last resource of the list. */
const latest = new WeakMap<Resource, Served>();

export function sameItems(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index]);
}

function groupsOf(resources: readonly Resource[]): ServedGroup[] {
  const byGroup = groupBy(resources, ({ group }) => group);
  const names = [...byGroup.keys()].sort(
    (one, other) => rankOf(one) - rankOf(other) || (one < other ? -1 : 1),
  );
  return names.map((name) => ({ name, versions: versionsOf(byGroup.get(name) ?? []) }));
}

/** Built-in groups stand in an order of their own, before all others. */
function rankOf(group: string): number {
  const rank = facts().groups.findIndex(({ name }) => name === group);
  return rank < 0 ? Number.POSITIVE_INFINITY : rank;
}

function versionsOf(resources: readonly Resource[]): ServedVersion[] {
  const byVersion = groupBy(resources, ({ version }) => version);
  const versions = [...byVersion.keys()].sort(compareVersions);
  return versions.map((version) => servedVersion(byVersion.get(version) ?? []));
}

function servedVersion(resources: readonly Resource[]): ServedVersion {
  const { group = "", version = "" } = resources[0] ?? {};
  return {
    group,
    version,
    groupVersion: group === "" ? version : `${group}/${version}`,
    custom: resources.every(({ custom }) => custom),
    resources,
  };
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item)) ?? [];
    groups.set(keyOf(item), group);
    group.push(item);
  }
  return groups;
}

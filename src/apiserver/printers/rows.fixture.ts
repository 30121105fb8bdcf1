import type { KubeObject } from "../../api/index.ts";
import { builtinResources } from "../builtin-resources.ts";
import type { Resource } from "../resource.ts";
import type { Cell } from "./column.ts";
import { printerOf } from "./printers.ts";

/** When tables are made: 2026-11-16T03:00:00Z. */
export const now = 1_794_798_000_000;

/** Metadata of an object that is 90 seconds old. */
export function meta(name: string, more: object = {}): object {
  return { name, creationTimestamp: "2026-11-16T02:58:30Z", ...more };
}

/** What stands in the row of an object, of which only what matters is given. */
export function cellsOf(kind: string, object: object): Cell[] {
  return printerOf(resourceOf(kind)).cells(object as KubeObject, now);
}

/** A built-in resource by its version and kind: `apps/v1 Deployment`. */
export function resourceOf(named: string): Resource {
  const found = resources.find(
    ({ group, version, kind }) => `${group && `${group}/`}${version} ${kind}` === named,
  );
  if (!found) throw new Error(`expected a built-in kind, got ${named}`);
  return found;
}

const resources = builtinResources();

import { type AnyKind, isDiscovered, type KubeObject, kindName } from "../api/index.ts";
import type { View } from "./informer.ts";

/** A kind and view as people read it: `apps/v1 Deployment in a, b with labels app=web`. */
export function viewText<T extends KubeObject>(kind: AnyKind<T>, view: View<T>): string {
  const { namespaces = [], labels, fields } = view;
  const parts = {
    in: namespaces.join(", "),
    "with labels": selectorText(labels),
    "with fields": selectorText(fields),
  };
  const said = Object.entries(parts).filter(([, text]) => text !== "");
  return [kindName(kind), ...said.flat()].join(" ");
}

/** The view with each thing said in one way. */
export function settledView<T extends KubeObject>(kind: AnyKind<T>, view: View<T>): View<T> {
  const { namespaces = [] } = view;
  const scoped = !isDiscovered(kind) || kind.namespaced;
  return { ...view, namespaces: scoped ? [...new Set(namespaces)].sort() : [] };
}

function selectorText(selector: View<KubeObject>["labels"]): string {
  if (selector === undefined || typeof selector === "string") return selector ?? "";
  return Object.entries(selector)
    .map(([key, value]) => `${key}=${value}`)
    .sort()
    .join(",");
}

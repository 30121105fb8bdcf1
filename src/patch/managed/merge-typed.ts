import {
  child,
  deducedNode,
  type JsonObject,
  type ListNode,
  type SchemaNode,
  setField,
} from "../../schema/index.ts";
import { elementsIn } from "../values/list-elements.ts";
import { mergeOrder } from "../values/merge-order.ts";
import { listOrEmpty, objectOrEmpty, shapeOf } from "../values/shape.ts";
import { requireDepth } from "../values/typed-error.ts";

/**
 * Merges a configuration into a live value by schema. The configuration wins at every path.
 *
 * Merges objects by field and map lists by key, unites sets, and replaces atomic values. An empty or null configuration
 * removes nothing from a granular object or a set or map list; null replaces a scalar. The result shares equal parts
 * with both values.
 */
export function mergeTyped(live: unknown, config: unknown, node: SchemaNode): unknown {
  return merge({ live, config }, node, 0);
}

interface Pair {
  readonly live: unknown;
  readonly config: unknown;
}

function merge({ live, config }: Pair, node: SchemaNode, depth: number): unknown {
  requireDepth(depth);
  if (config === undefined) return live;
  if (live === undefined) return config;
  const shape = shapeOf(node, config);
  if (shape === "object") return mergeObjects({ live, config }, node, depth);
  return shape === "list" ? mergeLists({ live, config }, node, depth) : config;
}

function mergeObjects(pair: Pair, node: SchemaNode, depth: number): unknown {
  const [live, config] = [objectOrEmpty(pair.live), objectOrEmpty(pair.config)];
  if (node.object?.type === "atomic" || (isEmpty(live) && isEmpty(config))) return pair.config;
  const merged: Record<string, unknown> = { ...live };
  for (const key of Object.keys(config)) {
    const field = { live: Object.hasOwn(live, key) ? live[key] : undefined, config: config[key] };
    setField(merged, key, merge(field, child(node, key) ?? deducedNode, depth + 1));
  }
  return merged;
}

function isEmpty(object: JsonObject): boolean {
  return Object.keys(object).length === 0;
}

function mergeLists(pair: Pair, { list }: SchemaNode, depth: number): unknown {
  const [live, config] = [listOrEmpty(pair.live), listOrEmpty(pair.config)];
  if (!list || list.type === "atomic" || live.length + config.length === 0) return pair.config;
  return mergeElements({ live, config }, list, depth);
}

interface Lists {
  readonly live: readonly unknown[];
  readonly config: readonly unknown[];
}

function mergeElements({ live, config }: Lists, node: ListNode, depth: number): unknown[] {
  const order = mergeOrder(elementsIn(live, node), elementsIn(config, node));
  return order.map((from) =>
    merge(
      { live: elementAt(live, from.live), config: elementAt(config, from.config) },
      node.items,
      depth + 1,
    ),
  );
}

function elementAt(list: readonly unknown[], index: number | undefined): unknown {
  return index === undefined ? undefined : list[index];
}

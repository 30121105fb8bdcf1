import {
  child,
  deducedNode,
  type JsonObject,
  type ListNode,
  type SchemaNode,
  setField,
} from "../schema/index.ts";
import { elementsIn } from "./list-elements.ts";
import { mergeOrder } from "./merge-order.ts";
import { listIn, objectIn, shapeOf } from "./shape.ts";
import { requireDepth } from "./typed-error.ts";

/**
 * What stands there once a configuration is laid over a value: the configuration wins, place by place.
 *
 * Objects are merged field by field, elements of map lists by their keys, sets are united; anything atomic is replaced.
 * An empty or null configuration takes nothing away from an object or list that can be merged, and null replaces
 * a scalar. Shares with both values what is the same in them.
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
  const [live, config] = [objectIn(pair.live), objectIn(pair.config)];
  if (node.object?.type === "atomic" || (isBare(live) && isBare(config))) return pair.config;
  const merged: Record<string, unknown> = { ...live };
  for (const key of Object.keys(config)) {
    const field = { live: Object.hasOwn(live, key) ? live[key] : undefined, config: config[key] };
    setField(merged, key, merge(field, child(node, key) ?? deducedNode, depth + 1));
  }
  return merged;
}

function isBare(object: JsonObject): boolean {
  return Object.keys(object).length === 0;
}

function mergeLists(pair: Pair, { list }: SchemaNode, depth: number): unknown {
  const [live, config] = [listIn(pair.live), listIn(pair.config)];
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

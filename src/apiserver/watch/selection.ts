import type { KubeObject, Labels } from "../../api/index.ts";
import {
  type FieldMatcher,
  fieldMatcher,
  type LabelMatcher,
  labelMatcher,
  SelectorError,
} from "../../api/index.ts";
import { storedObject } from "../codec/object-text.ts";
import type { StoredEntry } from "../storage/storage.ts";
import type { Resource } from "../types/resource.ts";
import { badRequest, tooLarge } from "../types/status-error.ts";
import { fieldSelectorProblem, labelSelectorProblem } from "./selector-problems.ts";

/** The objects that a list, watch or deletecollection selects. */
export interface Selection {
  /** True if all objects are selected. */
  readonly everything: boolean;
  /** The only selected name, if there is one. */
  readonly name: string | undefined;
  matches(stored: StoredEntry): boolean;
}

/**
 * Reads the selectors of a query. Throws a `StatusError` for invalid selectors and unknown fields.
 *
 * @param name The name in the path, if any. The selectors must not contradict it.
 */
export function selectionOf(resource: Resource, query: URLSearchParams, name = ""): Selection {
  const labels = labelsOf(selectorIn(query, "labelSelector"));
  const requested = fieldsOf(resource, selectorIn(query, "fieldSelector"));
  if (name !== "" && (nameIn(requested) ?? name) !== name) {
    throw badRequest("fieldSelector metadata.name doesn't match requested name");
  }
  const fields = name === "" ? requested : fieldMatcher({ "metadata.name": name });
  const everything = labels.requirements.length === 0 && fields.requirements.length === 0;
  return {
    everything,
    name: nameIn(fields),
    matches: (stored) => everything || matches(facetsOf(resource, stored), labels, fields),
  };
}

/** Throws a `StatusError` for invalid selectors. */
export function checkSelectors(query: URLSearchParams): void {
  labelsOf(selectorIn(query, "labelSelector"));
  readFields(selectorIn(query, "fieldSelector"));
}

/** Returns the text of a selector. Throws a `StatusError` if it is too long. */
function selectorIn(query: URLSearchParams, name: "labelSelector" | "fieldSelector"): string {
  const text = query.get(name) ?? "";
  if (text.length <= maxSelectorLength) return text;
  throw tooLarge(`Request entity too large: limit is ${maxSelectorLength} characters of ${name}`);
}

/** Parsing a selector of this length takes less than 100 ms. */
const maxSelectorLength = 128 * 1024;

function matches(facets: Facets, labels: LabelMatcher, fields: FieldMatcher): boolean {
  return labels.matches(facets.labels) && fields.matches((field) => facets.values.get(field));
}

function labelsOf(text: string): LabelMatcher {
  try {
    return labelMatcher(text);
  } catch (error) {
    if (error instanceof SelectorError) throw badRequest(labelSelectorProblem(text));
    throw error;
  }
}

function fieldsOf(resource: Resource, text: string): FieldMatcher {
  const matcher = readFields(text);
  for (const { field } of matcher.requirements) {
    if (!metaFields.has(field) && !Object.hasOwn(resource.strategy.fields ?? {}, field))
      throw badRequest(unknownField(resource, field));
  }
  return matcher;
}

function readFields(text: string): FieldMatcher {
  try {
    return fieldMatcher(text);
  } catch (error) {
    if (error instanceof SelectorError) throw badRequest(fieldSelectorProblem(text));
    throw error;
  }
}

const metaFields: ReadonlySet<string> = new Set(["metadata.name", "metadata.namespace"]);

function unknownField({ strategy }: Resource, field: string): string {
  return (
    strategy.unknownField?.(field) ??
    `"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"`
  );
}

function nameIn({ requirements }: FieldMatcher): string | undefined {
  return requirements.find(({ field, operator }) => field === "metadata.name" && operator === "=")?.value;
}

/** The labels and fields of an object that selectors can match. */
interface Facets {
  readonly labels: Labels | undefined;
  readonly values: ReadonlyMap<string, string>;
}

/** Returns the labels and fields of a stored object. They are cached. */
function facetsOf(resource: Resource, stored: StoredEntry): Facets {
  const cached = facets.get(resource) ?? new WeakMap<StoredEntry, Facets>();
  facets.set(resource, cached);
  const found = cached.get(stored) ?? readFacets(resource, storedObject(resource, stored));
  cached.set(stored, found);
  return found;
}

const facets = new WeakMap<Resource, WeakMap<StoredEntry, Facets>>();

function readFacets({ strategy }: Resource, object: KubeObject): Facets {
  const { name, namespace = "", labels } = object.metadata;
  const own = Object.entries(strategy.fields ?? {}).map(([field, read]) => [field, read(object)] as const);
  return { labels, values: new Map([["metadata.name", name], ["metadata.namespace", namespace], ...own]) };
}

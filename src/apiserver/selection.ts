import type { KubeObject, Labels } from "../api/index.ts";
import {
  type FieldMatcher,
  fieldMatcher,
  type LabelMatcher,
  labelMatcher,
  SelectorError,
} from "../api/index.ts";
import { storedObject } from "./object-text.ts";
import type { Resource } from "./resource.ts";
import { fieldSelectorFault, labelSelectorFault } from "./selector-faults.ts";
import { badRequest, tooLarge } from "./status-error.ts";
import type { StoredEntry } from "./storage.ts";

/** Which objects a list, watch or collective deletion is about. */
export interface Selection {
  /** Nothing is left out. */
  readonly everything: boolean;
  /** Only the object of this name is meant. */
  readonly name: string | undefined;
  matches(stored: StoredEntry): boolean;
}

/**
 * Reads the selectors of a query. Those that cannot be read, and unknown fields, are refused.
 *
 * @param name of the only object that the path is about, which no selector may contradict.
 */
export function selectionOf(resource: Resource, query: URLSearchParams, name = ""): Selection {
  const labels = labelsOf(selectorIn(query, "labelSelector"));
  const asked = fieldsOf(resource, selectorIn(query, "fieldSelector"));
  if (name !== "" && (nameIn(asked) ?? name) !== name) {
    throw badRequest("fieldSelector metadata.name doesn't match requested name");
  }
  const fields = name === "" ? asked : fieldMatcher({ "metadata.name": name });
  const everything = labels.requirements.length === 0 && fields.requirements.length === 0;
  return {
    everything,
    name: nameIn(fields),
    matches: (stored) => everything || matches(facetsOf(resource, stored), labels, fields),
  };
}

/** Refuses selectors that cannot be read. */
export function checkSelectors(query: URLSearchParams): void {
  labelsOf(selectorIn(query, "labelSelector"));
  readFields(selectorIn(query, "fieldSelector"));
}

/** Returns the text of a selector. One that takes long to read is refused. */
function selectorIn(query: URLSearchParams, name: "labelSelector" | "fieldSelector"): string {
  const text = query.get(name) ?? "";
  if (text.length <= maxSelectorLength) return text;
  throw tooLarge(`Request entity too large: limit is ${maxSelectorLength} characters of ${name}`);
}

/** Reading one of this length takes less than 100 ms. */
const maxSelectorLength = 128 * 1024;

function matches({ labels, values }: Facets, wanted: LabelMatcher, fields: FieldMatcher): boolean {
  return wanted.matches(labels) && fields.matches((field) => values.get(field));
}

function labelsOf(text: string): LabelMatcher {
  try {
    return labelMatcher(text);
  } catch (error) {
    if (error instanceof SelectorError) throw badRequest(labelSelectorFault(text));
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
    if (error instanceof SelectorError) throw badRequest(fieldSelectorFault(text));
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

/** What selectors look at. */
interface Facets {
  readonly labels: Labels | undefined;
  readonly values: ReadonlyMap<string, string>;
}

/** Read from a stored object once, however many ask. */
function facetsOf(resource: Resource, stored: StoredEntry): Facets {
  const known = facets.get(resource) ?? new WeakMap<StoredEntry, Facets>();
  facets.set(resource, known);
  const found = known.get(stored) ?? readFacets(resource, storedObject(resource, stored));
  known.set(stored, found);
  return found;
}

const facets = new WeakMap<Resource, WeakMap<StoredEntry, Facets>>();

function readFacets({ strategy }: Resource, object: KubeObject): Facets {
  const { name, namespace = "", labels } = object.metadata;
  const own = Object.entries(strategy.fields ?? {}).map(([field, read]) => [field, read(object)] as const);
  return { labels, values: new Map([["metadata.name", name], ["metadata.namespace", namespace], ...own]) };
}

import { type DeepPartial, type LabelSelector, SelectorError, selectorMatcher } from "../../api/index.ts";

type Maybe<T> = T | null | undefined;

/** Returns the text, or `<none>` if it is empty. */
export function orNone(text: Maybe<string>): string {
  return text || "<none>";
}

/** Joins texts with commas. Returns `<none>` if the list is empty. */
export function joined(texts: Maybe<ReadonlyArray<string | undefined>>): string {
  return orNone((texts ?? []).join(","));
}

/** Joins the first `count` texts and appends the number of the others. */
export function firstOf(texts: readonly string[], count: number, separator = ","): string {
  const first = texts.slice(0, count).join(separator);
  const remaining = texts.length - count;
  return remaining > 0 ? `${first} + ${remaining} more...` : first;
}

/** Formats labels as an equality selector: `a=1,b=2`. */
export function labelText(labels: Maybe<Readonly<Record<string, string | undefined>>>): string {
  const pairs = Object.entries(labels ?? {}).map(([key, value]) => `${key}=${value}`);
  return orNone(pairs.sort().join(","));
}

/** Formats a selector as in requests: `app=x,tier in (a,b),!w`. */
export function selectorText(selector: Maybe<DeepPartial<LabelSelector>>): string {
  if (!selector) return "<none>";
  try {
    // Stored selectors are validated. Others throw a SelectorError.
    return orNone(selectorMatcher(selector as LabelSelector).text);
  } catch (error) {
    if (error instanceof SelectorError) return "<error>";
    throw error;
  }
}

/** Formats a boolean with a capital letter, as tables show it. */
export function capitalBoolean(value: Maybe<boolean>): string {
  return value ? "True" : "False";
}

/** The containers of a workload. */
export interface ContainerList {
  readonly containers?: Maybe<readonly NamedContainer[]>;
}

interface NamedContainer {
  readonly name?: string | undefined;
  readonly image?: string | undefined;
}

export function containerNames(spec: Maybe<ContainerList>): string {
  return (spec?.containers ?? []).map(({ name }) => name).join(",");
}

export function containerImages(spec: Maybe<ContainerList>): string {
  return (spec?.containers ?? []).map(({ image }) => image).join(",");
}

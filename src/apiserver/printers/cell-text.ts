import { type DeepPartial, type LabelSelector, SelectorError, selectorMatcher } from "../../api/index.ts";

type Maybe<T> = T | null | undefined;

/** The text, or `<none>`. */
export function orNone(text: Maybe<string>): string {
  return text || "<none>";
}

/** Texts with commas between; `<none>` where there are none. */
export function listed(texts: Maybe<ReadonlyArray<string | undefined>>): string {
  return orNone((texts ?? []).join(","));
}

/** The first few texts, and how many more there are. */
export function firstOf(texts: readonly string[], count: number, separator = ","): string {
  const shown = texts.slice(0, count).join(separator);
  const more = texts.length - count;
  return more > 0 ? `${shown} + ${more} more...` : shown;
}

/** Labels as a selector of equals: `a=1,b=2`. */
export function labelText(labels: Maybe<Readonly<Record<string, string | undefined>>>): string {
  const pairs = Object.entries(labels ?? {}).map(([key, value]) => `${key}=${value}`);
  return orNone(pairs.sort().join(","));
}

/** A selector as requests write it: `app=x,tier in (a,b),!w`. */
export function selectorText(selector: Maybe<DeepPartial<LabelSelector>>): string {
  if (!selector) return "<none>";
  try {
    // What is stored was checked; what was not is told by the error.
    return orNone(selectorMatcher(selector as LabelSelector).text);
  } catch (error) {
    if (error instanceof SelectorError) return "<error>";
    throw error;
  }
}

/** A boolean as Go prints it. */
export function capitalBoolean(value: Maybe<boolean>): string {
  return value ? "True" : "False";
}

/** Containers and their images: what all workloads show. */
export interface ContainerList {
  readonly containers?: Maybe<readonly ContainerFacts[]>;
}

interface ContainerFacts {
  readonly name?: string | undefined;
  readonly image?: string | undefined;
}

export function containerNames(spec: Maybe<ContainerList>): string {
  return (spec?.containers ?? []).map(({ name }) => name).join(",");
}

export function containerImages(spec: Maybe<ContainerList>): string {
  return (spec?.containers ?? []).map(({ image }) => image).join(",");
}

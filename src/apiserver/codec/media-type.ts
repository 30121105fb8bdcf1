/** A clause of an `Accept` header, or a `Content-Type`: `application/json;as=Table;q=0.5`. */
export interface MediaType {
  /** The type as it was sent. Comparisons are case-sensitive, as on kube-apiserver. */
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** Returns the clauses of an `Accept` header, the preferred first. A missing or empty header accepts everything. */
export function acceptedTypes(header: string | undefined): MediaType[] {
  if ((header ?? "") === "") return [{ type: "*/*", parameters: new Map() }];
  const clauses = (header ?? "").split(",").map(mediaType);
  const accepted = clauses.filter(({ type }) => type !== "");
  return accepted.sort((one, other) => qualityOf(other) - qualityOf(one));
}

export function mediaType(text: string): MediaType {
  const [type = "", ...parameters] = text.split(";").map((part) => part.trim());
  return { type, parameters: new Map(parameters.map(parameter)) };
}

function parameter(text: string): [string, string] {
  const at = text.indexOf("=");
  if (at < 0) return [text, ""];
  return [
    text.slice(0, at).trim(),
    text
      .slice(at + 1)
      .trim()
      .replace(/^"(.*)"$/, "$1"),
  ];
}

function qualityOf({ parameters }: MediaType): number {
  const quality = Number(parameters.get("q") ?? 1);
  return Number.isNaN(quality) ? 1 : quality;
}

/** One clause of an `Accept` header, or a `Content-Type`: `application/json;as=Table;q=0.5`. */
export interface MediaType {
  /** As it was written: media types are compared with case, as the real server does. */
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** The clauses of an `Accept` header, the most wanted first. A header that is missing or empty wants anything. */
export function acceptedTypes(header: string | undefined): MediaType[] {
  if ((header ?? "") === "") return [{ type: "*/*", parameters: new Map() }];
  const clauses = (header ?? "").split(",").map(mediaType);
  const wanted = clauses.filter(({ type }) => type !== "");
  return wanted.sort((one, other) => qualityOf(other) - qualityOf(one));
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

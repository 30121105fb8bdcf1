import type { Client } from "trimtab/client";

/** One patch, as text, tried on an object that stays as it is: a dry run. */
export interface TriedPatch {
  /** Of the object: `/api/v1/namespaces/x/configmaps/a`. */
  readonly path: string;
  readonly type: "json" | "merge" | "strategic-merge";
  /** Text is sent as it is, everything else as JSON. */
  readonly patch: unknown;
  /** @default the server's own, Warn */
  readonly fieldValidation?: "Ignore" | "Strict" | undefined;
}

/** What the server would make of it, or why it refuses. */
export type Tried =
  | { readonly object: unknown; readonly warnings: readonly string[] }
  | { readonly code: number; readonly reason?: string; readonly message: string };

export async function tryPatch({ transport }: Client, tried: TriedPatch): Promise<Tried> {
  const query = new URLSearchParams({ dryRun: "All" });
  if (tried.fieldValidation) query.set("fieldValidation", tried.fieldValidation);
  const { status, body, headers } = await transport.send({
    method: "PATCH",
    path: `${tried.path}?${query}`,
    body: typeof tried.patch === "string" ? tried.patch : JSON.stringify(tried.patch),
    headers: { accept: "application/json", "content-type": `application/${tried.type}-patch+json` },
  });
  const answer: unknown = JSON.parse(body.toString());
  return status === 200 ? { object: answer, warnings: warningsIn(headers.warning) } : refusalIn(answer);
}

function warningsIn(headers: string | readonly string[] | undefined): string[] {
  return [headers ?? []]
    .flat()
    .map((header) => header.replace(/^299 - "(.*)"$/, "$1").replaceAll('\\"', '"'));
}

function refusalIn(status: unknown): Tried {
  const { code, reason, message } = status as { code: number; reason?: string; message: string };
  return { code, ...(reason !== undefined && { reason }), message };
}

import type { Client } from "trimtab/client";

/** A patch, tried on an object with a dry run. */
export interface TriedPatch {
  /** Path of the object: `/api/v1/namespaces/x/configmaps/a`. */
  readonly path: string;
  readonly type: "json" | "merge" | "strategic-merge";
  /** Text is sent unchanged, other values as JSON. */
  readonly patch: unknown;
  /** The fieldValidation parameter. @default the server's default, Warn */
  readonly fieldValidation?: "Ignore" | "Strict" | undefined;
}

/** Returns the result of the patch, or the server's error. */
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
  const response: unknown = JSON.parse(body.toString());
  return status === 200 ? { object: response, warnings: warningsIn(headers.warning) } : refusalIn(response);
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

import { type ResponseTransformer, responseTransformer } from "../printers/response-transformer.ts";
import type { Call, Engine } from "./engine.ts";

/** Returns the transformer of a call whose `Accept` header requests a Table or metadata only. */
export function callTransformer(
  { clock }: Engine,
  { resource, subresource, format, request }: Call,
): ResponseTransformer {
  if (!format.as) throw new Error("expected a call with as= in its Accept header, got one without");
  return responseTransformer({ resource, subresource, as: format.as, query: request.query, clock });
}

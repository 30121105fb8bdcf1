import type { Call, Engine } from "./engine.ts";
import { type ResponseTransformer, responseTransformer } from "./response-transformer.ts";

/** How the call's answer is shown, where it is to be shown as something else. */
export function callTransformer(
  { clock }: Engine,
  { resource, subresource, format, request }: Call,
): ResponseTransformer {
  if (!format.as) throw new Error("expected a call that asks for another form, got one that does not");
  return responseTransformer({ resource, subresource, as: format.as, query: request.query, clock });
}

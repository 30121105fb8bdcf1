import type { Call, Engine } from "./engine.ts";
import { type View, viewOf } from "./view.ts";

/** How the call's answer is shown, where it is to be shown as something else. */
export function callView({ clock }: Engine, { resource, subresource, format, request }: Call): View {
  if (!format.as) throw new Error("expected a call that asks for another form, got one that does not");
  return viewOf({ resource, subresource, as: format.as, query: request.query, clock });
}

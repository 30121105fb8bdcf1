import { goQuoted } from "../schema/index.ts";
import { badRequest } from "./status-error.ts";

/** Refuses names that no object can have, because they mean something in a path. */
export function checkNameInPath(name: string): void {
  const faults = name === "." || name === ".." ? [`may not be '${name}'`] : forbiddenIn(name);
  if (faults.length > 0) throw badRequest(`Name parameter invalid: ${goQuoted(name)}: ${faults.join(";")}`);
}

function forbiddenIn(name: string): string[] {
  return ["/", "%"].filter((mark) => name.includes(mark)).map((mark) => `may not contain '${mark}'`);
}

import { goQuoted } from "../../schema/index.ts";
import { badRequest } from "../types/status-error.ts";

/** Throws a `StatusError` for names that have a meaning in a path, which no object can have. */
export function checkNameInPath(name: string): void {
  const problems = name === "." || name === ".." ? [`may not be '${name}'`] : forbiddenIn(name);
  if (problems.length > 0)
    throw badRequest(`Name parameter invalid: ${goQuoted(name)}: ${problems.join(";")}`);
}

function forbiddenIn(name: string): string[] {
  return ["/", "%"].filter((mark) => name.includes(mark)).map((mark) => `may not contain '${mark}'`);
}

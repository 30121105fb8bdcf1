import { readFileSync } from "node:fs";
import type { Engine } from "./server-under-test.ts";

/** Features that the embedded server lacks, by their word in DIFFERENCES.md. */
export type LeftOut = "cel" | "rbac";

/** Returns the reason why the engine does not show a behaviour, or `undefined` if it does. */
export function reasonToSkip(needs: string | undefined, engine: Engine): string | undefined {
  return needs !== undefined && engine === "embedded" ? reasonOf(needs) : undefined;
}

/** Returns the word in a line such as `Needs: rbac`. */
export function needsOf(text: string): string | undefined {
  return /^Needs: (\S+)$/m.exec(text)?.[1];
}

/** Returns the sentence of DIFFERENCES.md for a word. Throws if it is not listed. */
export function reasonOf(needs: string): string {
  const listed = new RegExp(`^- \`${needs}\`: (.+?[.:])(\\s|$)`, "m").exec(differences)?.[1];
  if (listed !== undefined) return listed;
  throw new Error(`expected a line "- \`${needs}\`: ..." in conformance/DIFFERENCES.md, got none`);
}

const differences = readFileSync(new URL("./DIFFERENCES.md", import.meta.url), "utf8");

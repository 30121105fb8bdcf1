import { readFileSync } from "node:fs";
import type { Engine } from "./server-under-test.ts";

/** What the embedded server does not do yet, by the word it has in DIFFERENCES.md. */
export type LeftOut = "protobuf" | "rbac";

/** Why a behaviour that needs this is not shown by the engine; nothing where it is. */
export function reasonToSkip(needs: string | undefined, engine: Engine): string | undefined {
  return needs !== undefined && engine === "embedded" ? reasonOf(needs) : undefined;
}

/** What a text says it needs, in a line `Needs: protobuf`. */
export function needsOf(text: string): string | undefined {
  return /^Needs: (\S+)$/m.exec(text)?.[1];
}

/** The sentence that DIFFERENCES.md has for it. What is not listed there is no reason to skip anything. */
export function reasonOf(needs: string): string {
  const listed = new RegExp(`^- \`${needs}\`: (.+?[.:])(\\s|$)`, "m").exec(differences)?.[1];
  if (listed !== undefined) return listed;
  throw new Error(`expected a line "- \`${needs}\`: ..." in conformance/DIFFERENCES.md, got none`);
}

const differences = readFileSync(new URL("./DIFFERENCES.md", import.meta.url), "utf8");

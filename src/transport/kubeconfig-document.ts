import type { Document } from "yaml";
import { ConfigError } from "./config-error.ts";
import { ConfigField, type ConfigText, type Key } from "./config-field.ts";

/**
 * The fields of a YAML or JSON text, each with its line. `name` stands for the text in messages.
 * Aliases and merge keys (`<<`) are resolved.
 */
export async function readDocument(text: string, name: string): Promise<ConfigField> {
  const { LineCounter, parseDocument } = await import("yaml");
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, merge: true });
  const [error] = document.errors;
  if (error) {
    const { line, col } = lines.linePos(error.pos[0]);
    throw new ConfigError(
      `expected YAML or JSON in ${name}, got an error at ${line}:${col}: ${error.message}`,
      {
        cause: error,
      },
    );
  }
  return new ConfigField(
    document.toJS(),
    withLines(document, name, (offset) => lines.linePos(offset).line),
  );
}

function withLines(document: Document, name: string, lineAt: (offset: number) => number): ConfigText {
  return {
    name,
    lineOf(keys) {
      const offset = offsetOf(document, keys);
      return offset === undefined ? undefined : lineAt(offset);
    },
  };
}

/** Where a node starts. What has no node of its own (absent, or behind an alias) has its parent's place. */
function offsetOf(document: Document, keys: readonly Key[]): number | undefined {
  for (let depth = keys.length; depth > 0; depth--) {
    const node = document.getIn(keys.slice(0, depth), true);
    if (hasRange(node)) return node.range[0];
  }
  return undefined;
}

function hasRange(node: unknown): node is { readonly range: readonly [number, ...number[]] } {
  return typeof node === "object" && node !== null && "range" in node && Array.isArray(node.range);
}

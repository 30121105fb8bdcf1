import type { Document, Node, YAMLError } from "yaml";
import { ConfigError } from "./config-error.ts";
import { ConfigField, type ConfigText, type Key } from "./config-field.ts";

/**
 * Parses a YAML or JSON text into fields that know their lines. `name` names the text in messages. Aliases and merge
 * keys (`<<`) are resolved.
 */
export async function readDocument(text: string, name: string): Promise<ConfigField> {
  const yaml = await import("yaml");
  const lines = new yaml.LineCounter();
  // The library would print warnings that quote the text.
  const options = { lineCounter: lines, prettyErrors: false, merge: true, logLevel: "error" } as const;
  const document = yaml.parseDocument(text, options);
  const [error] = document.errors;
  if (error) {
    const { line, col } = lines.linePos(error.pos[0]);
    throw new ConfigError(
      `expected YAML or JSON in ${name}, got an error at ${line}:${col}: ${quoting[error.code] ?? error.message}`,
    );
  }
  const lineAt = (offset: number): number => lines.linePos(offset).line;
  return new ConfigField(resolvedValue(yaml, document, { name, lineAt }), withLines(document, name, lineAt));
}

/** Replacements for messages of the library that quote the text, which may be a secret. */
const quoting: Readonly<Partial<Record<YAMLError["code"], string>>> = {
  BAD_DIRECTIVE: "unknown directive",
  BAD_DQ_ESCAPE: "invalid escape sequence: write \\\\ for a backslash, or use single quotes",
  TAG_RESOLVE_FAILED: "unknown tag: put quotes around a value that begins with !",
  UNEXPECTED_TOKEN: "unexpected character: put quotes around a value that begins with | or >",
};

interface TextPlace {
  readonly name: string;
  /** Returns the line of an offset. */
  readonly lineAt: (offset: number) => number;
}

/**
 * Returns the value of a document. Aliases and merge keys are resolved here. The library's errors about them are
 * replaced, because they quote the text, which may be a password that begins with `*`.
 */
function resolvedValue(
  yaml: typeof import("yaml"),
  document: Document,
  { name, lineAt }: TextPlace,
): unknown {
  const alias = firstUnresolved(yaml, document);
  if (alias) {
    const line = alias.range ? `:${lineAt(alias.range[0])}` : "";
    throw new ConfigError(
      `expected an anchor for the alias in ${name}${line}, got none: put quotes around a value that begins with *`,
    );
  }
  try {
    return document.toJS();
  } catch {
    throw new ConfigError(
      `expected YAML or JSON in ${name}, got aliases or merge keys (<<) that cannot be resolved: write the values out`,
    );
  }
}

function firstUnresolved(yaml: typeof import("yaml"), document: Document): Node | undefined {
  let found: Node | undefined;
  yaml.visit(document, {
    Alias(_, alias) {
      if (alias.resolve(document)) return undefined;
      found = alias;
      return yaml.visit.BREAK;
    },
  });
  return found;
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

/**
 * Returns the offset of a node. For a value without a node (absent, or behind an alias) it is the offset of its parent.
 */
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

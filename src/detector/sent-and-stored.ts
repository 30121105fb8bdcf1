import { type FieldChange, type FieldPath, type Fields, isRecord, isSame, namesOf } from "./field-changes.ts";
import type { Write } from "./write.ts";

/**
 * Returns the fields that a write sent and the server stores differently: `before` is the sent value, `after` the
 * stored one. The server has defaulted, normalized or pruned them.
 *
 * An update is complete, so that omitted fields count as absent. A patch or an apply covers only the fields it names.
 * JSON patches and merged lists are not compared.
 */
export function sentAndStored(write: Write, stored: object): FieldChange[] {
  const { verb, sent } = write;
  const content = verb === "patch" ? patchOf(sent) : sent;
  return isRecord(content) ? [...new Comparison(write).of(content, stored, [])].slice(0, maxDifferences) : [];
}

const maxDifferences = 10;

function patchOf(patch: unknown): unknown {
  if (!isRecord(patch)) return undefined;
  const { merge, strategic } = patch;
  return merge ?? strategic;
}

class Comparison {
  /** True if omitted fields are meant to be absent. */
  readonly #complete: boolean;
  /** True if lists are stored as they are sent. */
  readonly #lists: boolean;
  readonly #subresource: string | undefined;

  constructor({ verb, sent, subresource }: Write) {
    this.#complete = verb === "update";
    this.#lists = verb !== "apply" && !(isRecord(sent) && "strategic" in sent);
    this.#subresource = subresource;
  }

  *of(sent: unknown, stored: unknown, path: FieldPath): Generator<FieldChange, void, void> {
    if (isRecord(sent) && isRecord(stored)) yield* this.#inRecords(sent, stored, path);
    else if (Array.isArray(sent) && Array.isArray(stored)) yield* this.#inLists(sent, stored, path);
    else if (!isSame(sent ?? undefined, stored)) yield { path, before: sent ?? undefined, after: stored };
  }

  *#inRecords(sent: Fields, stored: Fields, path: FieldPath): Generator<FieldChange, void, void> {
    for (const name of namesOf(sent, this.#complete ? stored : {})) {
      const here = [...path, name];
      if (this.#isCovered(here, sent)) yield* this.of(sent[name], stored[name], here);
    }
  }

  *#inLists(
    sent: readonly unknown[],
    stored: readonly unknown[],
    path: FieldPath,
  ): Generator<FieldChange, void, void> {
    if (!this.#lists) return;
    if (sent.length !== stored.length) yield { path, before: sent, after: stored };
    else for (const [at, item] of sent.entries()) yield* this.of(item, stored[at], [...path, at]);
  }

  /** Returns true if this kind of write can set the field, and the sent object covers it. */
  #isCovered(path: FieldPath, sent: Fields): boolean {
    const [top, name] = path;
    if (top === "apiVersion" || top === "kind" || `${path.at(-1)}`.startsWith("$")) return false;
    if (top === "metadata")
      return name === undefined || (!this.#subresource && writableMetadata.has(`${name}`));
    if (this.#subresource !== undefined) return top === this.#subresource;
    return top !== "status" || name !== undefined || sent.status !== undefined;
  }
}

const writableMetadata: ReadonlySet<string> = new Set([
  "labels",
  "annotations",
  "finalizers",
  "ownerReferences",
]);

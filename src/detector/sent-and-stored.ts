import { type FieldChange, type FieldPath, type Fields, isRecord, isSame, namesOf } from "./field-changes.ts";
import type { Write } from "./write.ts";

/**
 * The fields that a write sent and the server stores differently: `before` is what was sent, `after` what is stored. It has
 * filled them in, written them its own way, or taken them away.
 *
 * An update says everything, and so also what it leaves out. A patch or an apply speaks of what it names. What the steps of
 * a JSON patch meant, and what became of merged lists, is not known here.
 */
export function sentAndStored(write: Write, stored: object): FieldChange[] {
  const { verb, sent } = write;
  const said = verb === "patch" ? patchOf(sent) : sent;
  return isRecord(said) ? [...new Comparison(write).of(said, stored, [])].slice(0, most) : [];
}

const most = 10;

function patchOf(patch: unknown): unknown {
  if (!isRecord(patch)) return undefined;
  const { merge, strategic } = patch;
  return merge ?? strategic;
}

class Comparison {
  /** What is not said is meant to be absent. */
  readonly #whole: boolean;
  /** Lists are stored as they are sent. */
  readonly #lists: boolean;
  readonly #subresource: string | undefined;

  constructor({ verb, sent, subresource }: Write) {
    this.#whole = verb === "update";
    this.#lists = verb !== "apply" && !(isRecord(sent) && "strategic" in sent);
    this.#subresource = subresource;
  }

  *of(sent: unknown, stored: unknown, path: FieldPath): Generator<FieldChange, void, void> {
    if (isRecord(sent) && isRecord(stored)) yield* this.#inRecords(sent, stored, path);
    else if (Array.isArray(sent) && Array.isArray(stored)) yield* this.#inLists(sent, stored, path);
    else if (!isSame(sent ?? undefined, stored)) yield { path, before: sent ?? undefined, after: stored };
  }

  *#inRecords(sent: Fields, stored: Fields, path: FieldPath): Generator<FieldChange, void, void> {
    for (const name of namesOf(sent, this.#whole ? stored : {})) {
      const here = [...path, name];
      if (this.#isMeant(here, sent)) yield* this.of(sent[name], stored[name], here);
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

  /** Whether the writer has a say in the field by such a write, and has said it. */
  #isMeant(path: FieldPath, sent: Fields): boolean {
    const [top, name] = path;
    if (top === "apiVersion" || top === "kind" || `${path.at(-1)}`.startsWith("$")) return false;
    if (top === "metadata") return name === undefined || (!this.#subresource && asked.has(`${name}`));
    if (this.#subresource !== undefined) return top === this.#subresource;
    return top !== "status" || name !== undefined || sent.status !== undefined;
  }
}

const asked: ReadonlySet<string> = new Set(["labels", "annotations", "finalizers", "ownerReferences"]);

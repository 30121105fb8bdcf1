import { type FieldChange, pathText, valueText } from "./field-changes.ts";
import type { Finding } from "./findings.ts";
import type { Write } from "./write.ts";

interface Known {
  /** The reconciled key. */
  readonly key: string;
  readonly write: Write;
  /** The key of the written object. */
  readonly object: string;
  readonly times: number;
}

/** Reports that each write triggers the next one. */
export function loopFinding(known: Known & { readonly changes: readonly FieldChange[] }): Finding {
  const { write, changes } = known;
  const isNothing = changes.length === 0;
  return {
    cause: isNothing ? "no-op" : "loop",
    about: aboutFields(write, changes),
    message: isNothing
      ? "reconcile triggers itself: its write changes only the resource version, returns as an event, and is repeated"
      : "reconcile triggers itself: its write returns as an event, and the next reconcile writes the same fields",
    advice: isNothing
      ? "write only if something differs, and always with the same field manager"
      : "write only differences: compare with the object that was read, keep times and counters out of objects, " +
        (changes.every(({ path }) => path[0] === "status")
          ? "or ignore status changes with `when: specOrMetadataChanged`"
          : "or filter such events with `when`"),
    fields: { ...fieldsOf(known), ...(isNothing ? {} : { changed: changes.map(changeText(write.kind)) }) },
  };
}

/** Reports that the server stores other values than those sent. */
export function defaultingFinding(known: Known & { readonly sent: readonly FieldChange[] }): Finding {
  const { write, sent } = known;
  const isStatus = write.subresource === undefined && sent.every(({ path }) => path[0] === "status");
  return {
    cause: "defaulting",
    about: aboutFields(write, sent),
    message: "write is repeated because the server stores different values each time",
    advice: isStatus
      ? 'the status is a subresource: write it with `applyStatus`, or with `subresource: "status"`'
      : "send the values that the server stores, or use `apply` with only the fields that matter: the server defaults the others",
    fields: {
      ...fieldsOf(known),
      differs: sent.map(
        ({ path, before, after }) =>
          `${pathText(path)}: sent ${valueText(before, write.kind, path)}, stored ${valueText(after, write.kind, path)}`,
      ),
    },
  };
}

/** Reports that another writer changes the same field. */
export function fightFinding(
  known: Known & { readonly field: string; readonly flip: FieldChange; readonly other: string },
): Finding {
  const { write, field, flip, other } = known;
  return {
    cause: "fight",
    about: `${write.kind} ${field}`,
    message:
      "controllers fight over a field: this one sets it, another writer changes it, and this one sets it again",
    advice:
      "do not write the field here, or stop the other writer from setting it; " +
      "if both use the same field manager, give this controller another `fieldManager`",
    fields: {
      ...fieldsOf(known),
      field,
      ours: valueText(flip.after, write.kind, flip.path),
      theirs: valueText(flip.before, write.kind, flip.path),
      other,
    },
  };
}

export function recreatedFinding(known: Known): Finding {
  return {
    cause: "loop",
    about: `${known.write.kind} again`,
    message:
      "reconcile triggers itself: it deletes an object and creates it again, and both return as events",
    advice: "update the object instead, or delete it only if an immutable field differs",
    fields: fieldsOf(known),
  };
}

export function createdFinding({ key, times }: Pick<Known, "key" | "times">): Finding {
  return {
    cause: "loop",
    about: "created",
    message:
      "reconcile triggers itself: it creates an object, which returns as an event, and creates another",
    advice: "derive object names from their owner, or count the existing objects before creating more",
    fields: { key, times },
  };
}

/** Reports that a controller declares `owns` of a kind and writes an object of it without an owner. */
export function unownedFinding({ key, write, object }: Omit<Known, "times">): Finding {
  return {
    cause: "unowned",
    about: write.kind,
    message: "controller declares `owns` of a kind but writes an object of it without an owner",
    advice:
      "pass `{ owner }` to `apply` and `create`, so that changes of the object reconcile its owner, and deleting the owner deletes it; " +
      "or use `watches` instead of `owns`",
    fields: { key, write: `${write.verb} ${write.kind} ${object}` },
  };
}

function fieldsOf({ key, write, object, times }: Known): Finding["fields"] {
  const verb = write.subresource === undefined ? write.verb : `${write.verb} ${write.subresource}`;
  return { key, write: `${verb} ${write.kind} ${object}`, times };
}

function aboutFields({ kind }: Write, changes: readonly FieldChange[]): string {
  return `${kind} ${changes.map(({ path }) => pathText(path)).join(" ")}`;
}

function changeText(kind: string): (change: FieldChange) => string {
  return ({ path, before, after }) =>
    `${pathText(path)}: ${valueText(before, kind, path)} → ${valueText(after, kind, path)}`;
}

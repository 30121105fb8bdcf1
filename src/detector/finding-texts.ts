import { type FieldChange, pathText, valueText } from "./field-changes.ts";
import type { Finding } from "./findings.ts";
import type { Write } from "./write.ts";

interface Known {
  /** Which was reconciled. */
  readonly key: string;
  readonly write: Write;
  /** The key of what was written. */
  readonly object: string;
  readonly times: number;
}

/** Each write brings the next one about. */
export function loopFinding(known: Known & { readonly changes: readonly FieldChange[] }): Finding {
  const { write, changes } = known;
  const isNothing = changes.length === 0;
  return {
    cause: isNothing ? "no-op" : "loop",
    about: aboutFields(write, changes),
    message: isNothing
      ? "a reconcile triggers itself: its write changes nothing but the version, comes back as an event, and is made again"
      : "a reconcile triggers itself: its write comes back as an event, and is followed by a write of the same fields",
    advice: isNothing
      ? "write only when something differs, and always as the same field manager"
      : "write only what has to change: compare with what was read, keep times and counters out of objects, " +
        (changes.every(({ path }) => path[0] === "status")
          ? "or ignore changes of the status with `when: specOrMetadataChanged`"
          : "or leave such events out with `when`"),
    fields: { ...fieldsOf(known), ...(isNothing ? {} : { changed: changes.map(changeText(write.kind)) }) },
  };
}

/** The server stores something else than what is sent. */
export function defaultingFinding(known: Known & { readonly sent: readonly FieldChange[] }): Finding {
  const { write, sent } = known;
  const isStatus = write.subresource === undefined && sent.every(({ path }) => path[0] === "status");
  return {
    cause: "defaulting",
    about: aboutFields(write, sent),
    message: "a write is made again and again, and the server stores something else each time",
    advice: isStatus
      ? 'the status is a part of its own: write it with `applyStatus`, or with `subresource: "status"`'
      : "send what the server stores, or use `apply` with only the fields that are meant: the server fills in the others",
    fields: {
      ...fieldsOf(known),
      differs: sent.map(
        ({ path, before, after }) =>
          `${pathText(path)}: sent ${valueText(before, write.kind, path)}, stored ${valueText(after, write.kind, path)}`,
      ),
    },
  };
}

/** Somebody else wants a field to be something else. */
export function fightFinding(
  known: Known & { readonly field: string; readonly flip: FieldChange; readonly others: string },
): Finding {
  const { write, field, flip, others } = known;
  return {
    cause: "fight",
    about: `${write.kind} ${field}`,
    message:
      "a field is fought over: it is set here, somebody else sets it to something else, and it is set back",
    advice:
      "leave the field out of what is written here, or stop the other writer from setting it; " +
      "if both write as one field manager, give this controller another `fieldManager`",
    fields: {
      ...fieldsOf(known),
      field,
      ours: valueText(flip.after, write.kind, flip.path),
      theirs: valueText(flip.before, write.kind, flip.path),
      other: others,
    },
  };
}

export function recreatedFinding(known: Known): Finding {
  return {
    cause: "loop",
    about: `${known.write.kind} again`,
    message:
      "a reconcile triggers itself: it deletes an object and creates it again, and both come back as events",
    advice: "change the object instead, or delete it only when it differs in what cannot be changed",
    fields: fieldsOf(known),
  };
}

export function createdFinding({ key, times }: Pick<Known, "key" | "times">): Finding {
  return {
    cause: "loop",
    about: "created",
    message:
      "a reconcile triggers itself: it creates an object, which comes back as an event, and creates another",
    advice:
      "give objects names that follow from their owner, or count those that are there before creating more",
    fields: { key, times },
  };
}

/** The controller declares `owns` of a kind, and writes an object of it that has no owner. */
export function unownedFinding({ key, write, object }: Omit<Known, "times">): Finding {
  return {
    cause: "unowned",
    about: write.kind,
    message: "the controller declares `owns` of a kind and writes an object of it without an owner",
    advice:
      "pass `{ owner }` to `apply` and `create`, so that changes of the object reconcile its owner and it is deleted with it; " +
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

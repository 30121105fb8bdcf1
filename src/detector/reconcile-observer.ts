import { type DeepReadonly, type KubeObject, keyOf } from "../api/index.ts";
import { type FieldChange, fieldAt, fieldChanges, isSame, pathText } from "./field-changes.ts";
import {
  createdFinding,
  defaultingFinding,
  fightFinding,
  loopFinding,
  recreatedFinding,
  unownedFinding,
} from "./finding-texts.ts";
import type { KeyHistory, WrittenObject } from "./key-history.ts";
import type { Monitor } from "./monitor.ts";
import { otherWriter } from "./other-writer.ts";
import { sentAndStored } from "./sent-and-stored.ts";
import type { Write, WriteObserver } from "./write.ts";

/** The cause of a reconcile: an event of an object, or something else. */
export interface ReconcileTrigger {
  /** Kind of the object. Empty for other triggers. */
  readonly kind: string;
  readonly key: string;
  /** "added", "updated" or "deleted". Any other value is not an event of an object. */
  readonly event: string;
  /** Resource version of the object in the event. */
  readonly resourceVersion?: string | undefined;
  /** True if it stands for several coalesced events, of which some were not own writes. */
  readonly foreign?: boolean | undefined;
}

/**
 * Observes the writes of one reconcile. It normally compares only resource versions. It compares objects from a key's
 * third write to the same object on, for a limited time.
 */
export class ReconcileObserver implements WriteObserver, Disposable {
  readonly #monitor: Monitor;
  readonly #key: string;
  readonly #triggers: readonly ReconcileTrigger[];
  /** True if only the key's own writes triggered the reconcile. Computed when first needed. */
  #ownOnly: boolean | undefined;
  /** True if the reconcile made a new version of an existing object. */
  #changed = false;
  #created = 0;

  constructor(monitor: Monitor, key: string, triggers: readonly ReconcileTrigger[]) {
    this.#monitor = monitor;
    this.#key = key;
    this.#triggers = triggers;
  }

  async around<T extends KubeObject | undefined>(write: Write, send: () => Promise<T>): Promise<T> {
    const inspection = this.#inspect(write);
    // A failed read is ignored: its result only improves the finding.
    const fetched = inspection.isDue ? await write.fetch().catch(() => undefined) : undefined;
    const response = await this.#send(write, send);
    this.#monitor.guard(() => {
      if (response) this.#stored({ ...inspection, write, response, before: fetched ?? inspection.before });
      else this.#deleted(write);
    });
    return response;
  }

  /** Ends the observation when the reconcile has returned. */
  [Symbol.dispose](): void {
    const history = this.#monitor.history(this.#key);
    if (history) this.#endSequence(history, this.#isOwn);
  }

  #endSequence(history: KeyHistory, own: boolean): void {
    if (!own || !(this.#changed || this.#created > 0)) history.endSequence();
    if (this.#created === 0) return;
    history.repetitions.clear(); // a reconcile that creates objects makes progress
    if (!own) return;
    history.created += this.#created;
    if (history.created < this.#monitor.limits.loops * createFactor) return;
    this.#monitor.report(createdFinding({ key: this.#key, times: history.created }));
  }

  /** Collects the known facts before the write is sent. */
  #inspect(write: Write): Inspection {
    let inspection: Inspection = nothingKnown;
    this.#monitor.guard(() => {
      const own = this.#isOwn; // computed before this write changes the history
      const target = this.#target(write);
      const suspect = target?.isSuspect(this.#monitor.nowMs) ?? false;
      const before = suspect ? write.cached() : undefined;
      const isNew = own && !target && (write.verb === "create" || write.cached() === undefined);
      inspection = {
        before,
        isNew,
        isDue: target !== undefined && before !== undefined && this.#isDue(target),
      };
    });
    return inspection;
  }

  /**
   * Returns true if one more repetition leads to a finding, or the cache was stale the last time. The object is then
   * read from the server: the cache may be stale and has no managed fields.
   */
  #isDue(target: WrittenObject): boolean {
    const { fights, loops } = this.#monitor.limits;
    const repetitions = this.#monitor.history(this.#key)?.repetitions.values() ?? [];
    const isFight = !target.reported && Math.max(0, ...target.contested.values()) >= fights - 1;
    return isFight || (target.cacheStale && !target.reported) || [...repetitions].includes(loops - 1);
  }

  #target({ kind, key }: Write): WrittenObject | undefined {
    return key === undefined ? undefined : this.#monitor.history(this.#key)?.target(targetId(kind, key));
  }

  async #send<T>({ kind }: Write, send: () => Promise<T>): Promise<T> {
    try {
      const response = await send();
      this.#monitor.recordWrite();
      return response;
    } catch (error) {
      this.#monitor.recordError(kind, error);
      throw error;
    }
  }

  #deleted({ kind, key }: Write): void {
    this.#changed = true;
    if (key !== undefined)
      this.#monitor.ensureHistory(this.#key)?.ensureTarget(targetId(kind, key))?.recordDelete();
  }

  #stored(stored: Stored): void {
    const { response, before, isNew, write } = stored;
    const { resourceVersion } = response.metadata;
    this.#checkOwner(write, response);
    const history = this.#monitor.ensureHistory(this.#key);
    const target = history?.ensureTarget(targetId(write.kind, keyOf(response)));
    if (!history) return;
    const moved = before
      ? before.metadata.resourceVersion !== resourceVersion
      : this.#isNewVersion(resourceVersion, target);
    if (moved) this.#monitor.writers.add(resourceVersion, history);
    if (isNew) this.#created += 1;
    else if (moved) this.#changed = true;
    if (!target) return;
    if (target.deletedByKey) this.#recreated(history, stored);
    if (before) this.#compare(history, target, { ...stored, before, moved });
    this.#countFutile(target, { ...stored, moved });
    target.recordWrite({ version: resourceVersion, moved, nowMs: this.#monitor.nowMs });
  }

  /** Reports an object without an owner: its events trigger no reconcile, so `owns` has no effect on it. */
  #checkOwner(write: Write, response: KubeObject): void {
    const isComplete = (write.verb === "create" || write.verb === "apply") && write.subresource === undefined;
    if (!isComplete || !this.#monitor.isUnowned(write.kind, response)) return;
    this.#monitor.report(unownedFinding({ key: this.#key, write, object: keyOf(response) }));
  }

  /** Returns true if the write made this version, as far as that is known without comparing objects. */
  #isNewVersion(version: string, target: WrittenObject | undefined): boolean {
    if (target?.version === version || this.#monitor.writers.of(version)) return false;
    return !this.#triggers.some(({ resourceVersion }) => resourceVersion === version);
  }

  #compare(history: KeyHistory, target: WrittenObject, stored: Compared): void {
    const { before, response, moved } = stored;
    const changes = moved ? fieldChanges(before, response) : [];
    const repeated = moved && this.#isOwn;
    if (repeated) this.#countRepetition(history, stored, changes);
    const flips = changes.filter(
      ({ path, after }) => target.after && isSame(fieldAt(target.after, path), after),
    );
    for (const flip of flips) this.#flip(target, stored, flip);
    target.cacheStale = moved && !repeated && changes.length === 0;
    target.recordComparison(repeated || target.cacheStale || flips.length > 0, this.#monitor.nowMs);
    target.after = target.isSuspect(this.#monitor.nowMs) ? response : undefined;
  }

  /** Counts a write that only own writes triggered. */
  #countRepetition(
    history: KeyHistory,
    { write, response }: Compared,
    changes: readonly FieldChange[],
  ): void {
    const paths = changes.map(({ path }) => pathText(path)).join(" ");
    const times = history.repeated(`${targetId(write.kind, keyOf(response))} ${paths}`);
    if (times < this.#monitor.limits.loops) return;
    const known = { key: this.#key, write, object: keyOf(response), times };
    const sent = changes.length === 0 ? sentAndStored(write, response) : [];
    this.#monitor.report(
      sent.length > 0 ? defaultingFinding({ ...known, sent }) : loopFinding({ ...known, changes }),
    );
  }

  /** Counts a field that is set back to its earlier value. */
  #flip(target: WrittenObject, { write, before, response }: Compared, flip: FieldChange): void {
    const field = pathText(flip.path);
    const times = (target.contested.get(field) ?? 0) + 1;
    target.contested.set(field, times);
    if (times < this.#monitor.limits.fights) return;
    target.reported = true;
    const writer = this.#monitor.writers.of(before.metadata.resourceVersion);
    const other = otherWriter({ writer, before, response, path: flip.path });
    this.#monitor.report(
      fightFinding({ key: this.#key, write, object: keyOf(response), times, field, flip, other }),
    );
  }

  #recreated(history: KeyHistory, { write, response }: Stored): void {
    if (!this.#isOwn) return;
    const times = history.repeated(`${targetId(write.kind, keyOf(response))} again`);
    if (times < this.#monitor.limits.loops) return;
    this.#monitor.report(recreatedFinding({ key: this.#key, write, object: keyOf(response), times }));
  }

  /**
   * Counts consecutive writes that did not change the stored object. An apply without changes is normal and not
   * counted.
   */
  #countFutile(
    target: WrittenObject,
    { write, response, moved }: Stored & { readonly moved: boolean },
  ): void {
    const isFutile = !moved && (write.verb === "update" || write.verb === "patch");
    target.futile = isFutile ? target.futile + 1 : 0;
    if (target.futile < this.#monitor.limits.loops) return;
    const sent = sentAndStored(write, response);
    if (sent.length === 0) return;
    const known = { key: this.#key, write, object: keyOf(response), times: target.futile };
    this.#monitor.report(defaultingFinding({ ...known, sent }));
  }

  get #isOwn(): boolean {
    this.#ownOnly ??= this.#triggers.length > 0 && this.#triggers.every((trigger) => this.#isEcho(trigger));
    return this.#ownOnly;
  }

  #isEcho({ kind, key, event, resourceVersion, foreign }: ReconcileTrigger): boolean {
    const history = this.#monitor.history(this.#key);
    if (!history || foreign) return false;
    if (event === "deleted") return history.target(targetId(kind, key))?.takeDeleteEcho() ?? false;
    const isEvent = event === "added" || event === "updated";
    return isEvent && this.#monitor.writers.of(resourceVersion) === history;
  }
}

/** Creating many objects one by one takes many reconciles, so that creates have a higher threshold than other loops. */
const createFactor = 20;

interface Inspection {
  /** The object before the write, if it is suspect. */
  readonly before: DeepReadonly<KubeObject> | undefined;
  /** True if only own writes triggered the reconcile, and the written object is new. */
  readonly isNew: boolean;
  /** True if the object has to be read from the server. */
  readonly isDue: boolean;
}

const nothingKnown: Inspection = { before: undefined, isNew: false, isDue: false };

interface Stored extends Inspection {
  readonly write: Write;
  readonly response: KubeObject;
}

interface Compared extends Stored {
  readonly before: DeepReadonly<KubeObject>;
  /** True if the write made a new version. */
  readonly moved: boolean;
}

function targetId(kind: string, key: string): string {
  return `${kind} ${key}`;
}

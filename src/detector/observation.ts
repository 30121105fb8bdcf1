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
import type { KeyHistory, Target } from "./key-history.ts";
import type { Monitor } from "./monitor.ts";
import { otherWriters } from "./other-writers.ts";
import { sentAndStored } from "./sent-and-stored.ts";
import type { Write, WriteObserver } from "./write.ts";

/** What asked for a reconcile: an event of an object, or something else. */
export interface Asked {
  /** Of the object. Empty where there is none. */
  readonly kind: string;
  readonly key: string;
  /** "added", "updated", "deleted"; anything else is no event of an object. */
  readonly event: string;
  /** Of the object, where it was an event. */
  readonly resourceVersion?: string | undefined;
  /** It stands for several events, of which some were not writes of this process. */
  readonly foreign?: boolean | undefined;
}

/**
 * One reconcile, as the detector sees it. Where nothing is suspicious it compares versions alone; objects are compared
 * from the third write on that a key makes to the same object, and not for ever.
 */
export class Observation implements WriteObserver, Disposable {
  readonly #monitor: Monitor;
  readonly #key: string;
  readonly #asked: readonly Asked[];
  /** Whether only the key's own writes asked for it. Found out when first needed. */
  #isOwn: boolean | undefined;
  /** Whether it made a version of something that was there. */
  #turned = false;
  #created = 0;

  constructor(monitor: Monitor, key: string, asked: readonly Asked[]) {
    this.#monitor = monitor;
    this.#key = key;
    this.#asked = asked;
  }

  async around<T extends KubeObject | undefined>(write: Write, send: () => Promise<T>): Promise<T> {
    const look = this.#look(write);
    const asked = look.isDue ? await write.ask().catch(() => undefined) : undefined; // it is only nice to know
    const answer = await this.#send(write, send);
    this.#monitor.guard(() => {
      if (answer) this.#stored({ ...look, write, answer, before: asked ?? look.before });
      else this.#deleted(write);
    });
    return answer;
  }

  /** It is over. */
  [Symbol.dispose](): void {
    const history = this.#monitor.history(this.#key);
    if (history) this.#endRow(history, this.#own);
  }

  #endRow(history: KeyHistory, own: boolean): void {
    if (!own || !(this.#turned || this.#created > 0)) history.endRow();
    if (this.#created === 0) return;
    history.row.clear(); // what creates comes further: its steps are no loop
    if (!own) return;
    history.created += this.#created;
    if (history.created < this.#monitor.limits.turns * manyTurns) return;
    this.#monitor.report(createdFinding({ key: this.#key, times: history.created }));
  }

  /** What there is to know before the write is sent. */
  #look(write: Write): Look {
    let look: Look = nothing;
    this.#monitor.guard(() => {
      const own = this.#own; // before this write changes what is remembered
      const target = this.#target(write);
      const suspect = target?.isSuspect(this.#monitor.nowMs) ?? false;
      const before = suspect ? write.seen() : undefined;
      const isNew = own && !target && (write.verb === "create" || write.seen() === undefined);
      look = { before, isNew, isDue: target !== undefined && before !== undefined && this.#isDue(target) };
    });
    return look;
  }

  /**
   * Whether with one more turn there is something to tell, or the cache was behind the last time. Then the server is asked
   * for what is there: a cache may be behind, and does not know who manages the fields.
   */
  #isDue(target: Target): boolean {
    const { fights, turns } = this.#monitor.limits;
    const row = this.#monitor.history(this.#key)?.row.values() ?? [];
    const isFight = !target.named && Math.max(0, ...target.contested.values()) >= fights - 1;
    return isFight || (target.behind && !target.named) || [...row].includes(turns - 1);
  }

  #target({ kind, key }: Write): Target | undefined {
    return key === undefined ? undefined : this.#monitor.history(this.#key)?.target(targetId(kind, key));
  }

  async #send<T>({ kind }: Write, send: () => Promise<T>): Promise<T> {
    try {
      const answer = await send();
      this.#monitor.wrote();
      return answer;
    } catch (error) {
      this.#monitor.refused(kind, error);
      throw error;
    }
  }

  #deleted({ kind, key }: Write): void {
    this.#turned = true;
    if (key !== undefined)
      this.#monitor.ensureHistory(this.#key)?.ensureTarget(targetId(kind, key))?.deleted();
  }

  #stored(stored: Stored): void {
    const { answer, before, isNew, write } = stored;
    const { resourceVersion } = answer.metadata;
    this.#checkOwner(write, answer);
    const history = this.#monitor.ensureHistory(this.#key);
    const target = history?.ensureTarget(targetId(write.kind, keyOf(answer)));
    if (!history) return;
    const moved = before
      ? before.metadata.resourceVersion !== resourceVersion
      : this.#isNewVersion(resourceVersion, target);
    if (moved) this.#monitor.writers.add(resourceVersion, history);
    if (isNew) this.#created += 1;
    else if (moved) this.#turned = true;
    if (!target) return;
    if (target.gone) this.#recreated(history, stored);
    if (before) this.#compare(history, target, { ...stored, before, moved });
    this.#countFutile(target, { ...stored, moved });
    target.wrote({ version: resourceVersion, moved, nowMs: this.#monitor.nowMs });
  }

  /** Events of an object without an owner reach no key: `owns` would never reconcile for it. */
  #checkOwner(write: Write, answer: KubeObject): void {
    const isWhole = (write.verb === "create" || write.verb === "apply") && write.subresource === undefined;
    if (!isWhole || !this.#monitor.isUnowned(write.kind, answer)) return;
    this.#monitor.report(unownedFinding({ key: this.#key, write, object: keyOf(answer) }));
  }

  /** Whether the write made it, as far as that can be told without looking at what was there. */
  #isNewVersion(version: string, target: Target | undefined): boolean {
    if (target?.version === version || this.#monitor.writers.of(version)) return false;
    return !this.#asked.some(({ resourceVersion }) => resourceVersion === version);
  }

  #compare(history: KeyHistory, target: Target, stored: Compared): void {
    const { before, answer, moved } = stored;
    const changes = moved ? fieldChanges(before, answer) : [];
    const turned = moved && this.#own;
    if (turned) this.#turn(history, stored, changes);
    const flips = changes.filter(
      ({ path, after }) => target.after && isSame(fieldAt(target.after, path), after),
    );
    for (const flip of flips) this.#flip(target, stored, flip);
    target.behind = moved && !turned && changes.length === 0;
    target.looked(turned || target.behind || flips.length > 0, this.#monitor.nowMs);
    target.after = target.isSuspect(this.#monitor.nowMs) ? answer : undefined;
  }

  /** A write that own writes alone have asked for. */
  #turn(history: KeyHistory, { write, answer }: Compared, changes: readonly FieldChange[]): void {
    const paths = changes.map(({ path }) => pathText(path)).join(" ");
    const times = history.again(`${targetId(write.kind, keyOf(answer))} ${paths}`);
    if (times < this.#monitor.limits.turns) return;
    const known = { key: this.#key, write, object: keyOf(answer), times };
    const sent = changes.length === 0 ? sentAndStored(write, answer) : [];
    this.#monitor.report(
      sent.length > 0 ? defaultingFinding({ ...known, sent }) : loopFinding({ ...known, changes }),
    );
  }

  /** A field is set back to what it had been set to before. */
  #flip(target: Target, { write, before, answer }: Compared, flip: FieldChange): void {
    const field = pathText(flip.path);
    const times = (target.contested.get(field) ?? 0) + 1;
    target.contested.set(field, times);
    if (times < this.#monitor.limits.fights) return;
    target.named = true;
    const writer = this.#monitor.writers.of(before.metadata.resourceVersion);
    const others = otherWriters({ writer, before, answer, path: flip.path });
    this.#monitor.report(
      fightFinding({ key: this.#key, write, object: keyOf(answer), times, field, flip, others }),
    );
  }

  #recreated(history: KeyHistory, { write, answer }: Stored): void {
    if (!this.#own) return;
    const times = history.again(`${targetId(write.kind, keyOf(answer))} again`);
    if (times < this.#monitor.limits.turns) return;
    this.#monitor.report(recreatedFinding({ key: this.#key, write, object: keyOf(answer), times }));
  }

  /** The server has made nothing of the write, and of those before. To apply what is there is no fault. */
  #countFutile(target: Target, { write, answer, moved }: Stored & { readonly moved: boolean }): void {
    const isFutile = !moved && (write.verb === "update" || write.verb === "patch");
    target.futile = isFutile ? target.futile + 1 : 0;
    if (target.futile < this.#monitor.limits.turns) return;
    const sent = sentAndStored(write, answer);
    if (sent.length === 0) return;
    const known = { key: this.#key, write, object: keyOf(answer), times: target.futile };
    this.#monitor.report(defaultingFinding({ ...known, sent }));
  }

  get #own(): boolean {
    this.#isOwn ??= this.#asked.length > 0 && this.#asked.every((asked) => this.#isEcho(asked));
    return this.#isOwn;
  }

  #isEcho({ kind, key, event, resourceVersion, foreign }: Asked): boolean {
    const history = this.#monitor.history(this.#key);
    if (!history || foreign) return false;
    if (event === "deleted") return history.target(targetId(kind, key))?.echoedDeletion() ?? false;
    const isEvent = event === "added" || event === "updated";
    return isEvent && this.#monitor.writers.of(resourceVersion) === history;
  }
}

/** To create many objects one by one takes many reconciles, and is no loop before it is very many. */
const manyTurns = 20;

interface Look {
  /** What was there, where the object is looked at closely. */
  readonly before: DeepReadonly<KubeObject> | undefined;
  /** Own writes alone have asked, and now there is something that was not there. */
  readonly isNew: boolean;
  /** It is time to ask the server for what is there. */
  readonly isDue: boolean;
}

const nothing: Look = { before: undefined, isNew: false, isDue: false };

interface Stored extends Look {
  readonly write: Write;
  readonly answer: KubeObject;
}

interface Compared extends Stored {
  readonly before: DeepReadonly<KubeObject>;
  /** The write made a new version. */
  readonly moved: boolean;
}

function targetId(kind: string, key: string): string {
  return `${kind} ${key}`;
}

import { realClock } from "../base/index.ts";

/**
 * Memory of which V8 takes no account, so that we keep it: it is free when nobody can reach the buffer and the garbage
 * collector has found that out, but does not make it run as often. What is free is used again. So whoever keeps a view of a
 * part of it (`subarray`) has to keep the buffer too.
 *
 * A busy cache gives up a page of its memory every few hundred changes. Were that memory as any other, V8 would look
 * through the whole heap for each 8 MB of it: at 2,000 changes a second that is every second, and long enough for all that
 * comes meanwhile to be late. Of memory that threads could share it takes no account. And a page that is new has to be given
 * by the machine, four kilobytes at a time, when it is first written to, which takes longer than to write it.
 */
export function uncounted(size: number): Buffer {
  const bytes = Buffer.from(spare.take(size) ?? asked(size));
  alive += size;
  // its memory, and not the buffer, is what the registry holds on to
  freed.register(bytes, bytes.buffer as SharedArrayBuffer, bytes);
  return bytes;
}

/** Nobody will look at it, or at any view of it, any more: it is used again without the garbage collector's finding that out. */
export function giveBack(bytes: Buffer): void {
  if (freed.unregister(bytes)) free(bytes.buffer as SharedArrayBuffer); // see above
}

/**
 * Copies into such memory. Node's own `copy` goes byte by byte where threads could see it, which takes three times as long.
 */
export function copyInto(target: Buffer, at: number, source: Buffer): void {
  if (source.length > 0) target.fill(source, at, at + source.length);
}

/**
 * So many bytes are garbage now that has lived for long, on V8's heap or beside it: V8 is in no hurry to look for that, and lets
 * the heap grow to twice what is in use.
 */
export function left(bytes: number): void {
  garbage += bytes;
  if (garbage > mostGarbage && realClock.monotonic() - collectedMs > seldomMs) collect();
}

/** What the machine gives, after the garbage collector was set to work where it is time for that. */
function asked(size: number): SharedArrayBuffer {
  if (alive + size > most) collect();
  return new SharedArrayBuffer(size);
}

/** Who has little needs little to spare, but a few pages of a small cache. */
const leastSpare = 256 * 1024;
const leastSlack = 8 * 1024 * 1024;
const mostSlack = 64 * 1024 * 1024;
/** Beside that, so much garbage may be left that has lived for long, for a while at least. */
const mostGarbage = 2 * 1024 * 1024;

/** Bytes that are not known to be free, of all there are: there is one garbage collector for all caches. */
let alive = 0;
/** So much may be dead and not known to be. */
let slack = leastSlack;
/** With more than this, the garbage collector shall run. */
let most = leastSlack;
let collectedMs = Number.NEGATIVE_INFINITY;
/** Bytes that were left on the heap since then. */
let garbage = 0;
/** Bytes that were found to be free since then. */
let found = 0;

/** Memory is dear where little goes, and time where so much does that it would be collected all the time. */
function collect(): void {
  const nowMs = realClock.monotonic();
  const sinceMs = nowMs - collectedMs;
  if (sinceMs < oftenMs && found > slack / 2) slack = Math.min(2 * slack, mostSlack);
  else if (sinceMs > seldomMs) slack = Math.max(slack / 2, leastSlack);
  collectedMs = nowMs;
  found = 0;
  garbage = 0;
  most = alive + Math.max(slack, alive); // and less, as soon as something is found: nothing is while a cache is filled
  new ArrayBuffer(enoughToCollect);
}

function nextMost(): number {
  return alive + Math.max(slack, alive / 4);
}

const oftenMs = 1000;
const seldomMs = 4000;

/** V8 sets to work at once when so much comes all at a time. It is never touched, so the machine does not give it. */
const enoughToCollect = 72 * 1024 * 1024;

/** Memory that is free, to be used again. */
class Spare {
  readonly #bySize = new Map<number, SharedArrayBuffer[]>();
  #bytes = 0;

  take(size: number): SharedArrayBuffer | undefined {
    const memory = this.#bySize.get(size)?.pop();
    if (memory) this.#bytes -= size;
    return memory;
  }

  put(memory: SharedArrayBuffer): void {
    const { byteLength: size } = memory;
    const same = this.#bySize.get(size);
    if (same) same.push(memory);
    else this.#bySize.set(size, [memory]);
    this.#bytes += size;
  }

  /** Leaves what is more than `most` bytes to the garbage collector, and says how many those are. */
  trim(most: number): number {
    const before = this.#bytes;
    for (const [size, same] of this.#bySize) {
      while (this.#bytes > most && same.pop()) this.#bytes -= size;
    }
    return before - this.#bytes;
  }
}

const spare = new Spare();

const freed = new FinalizationRegistry<SharedArrayBuffer>((memory) => {
  found += memory.byteLength;
  free(memory);
});

function free(memory: SharedArrayBuffer): void {
  alive -= memory.byteLength;
  most = Math.min(most, nextMost());
  spare.put(memory);
  left(spare.trim(Math.min(Math.max(alive / 8, leastSpare), mostSlack)));
}

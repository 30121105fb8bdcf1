/**
 * Memory of which V8 takes no account, so that we keep it: it is freed as all memory is, when nobody can reach it and the
 * garbage collector has found that out, but does not make it run as often.
 *
 * A busy cache gives up a page of its memory every few hundred changes. Were that memory as any other, V8 would look
 * through the whole heap for each 8 MB of it: at 2,000 changes a second that is every second, and long enough for all that
 * comes meanwhile to be late. Of memory that threads could share it takes no account.
 */
export function uncounted(size: number): Buffer {
  const memory = new SharedArrayBuffer(size);
  alive += size;
  freed.register(memory, size);
  if (alive > most) {
    new ArrayBuffer(enoughToCollect);
    most = nextMost();
  }
  return Buffer.from(memory);
}

/**
 * Copies into such memory. Node's own `copy` goes byte by byte where threads could see it, which takes three times as long.
 */
export function copyInto(target: Buffer, at: number, source: Buffer): void {
  if (source.length > 0) target.fill(source, at, at + source.length);
}

/** Bytes that are not known to be freed, of all there are: there is one garbage collector for all caches. */
let alive = 0;
/** With more than this, the garbage collector shall run. */
let most = 0;

const freed = new FinalizationRegistry<number>((size) => {
  alive -= size;
  most = Math.min(most, nextMost());
});

function nextMost(): number {
  return alive + Math.max(32 * 1024 * 1024, alive / 4);
}

/** V8 sets to work at once when so much comes all at a time. It is never touched, so the machine does not give it. */
const enoughToCollect = 72 * 1024 * 1024;

/**
 * Counts the memory that threads could share, which Node's own figures leave out: from the first call on, and of all of it that
 * was not freed when the garbage collector last ran.
 */
export function countSharedMemory(): () => number {
  let made: WeakRef<SharedArrayBuffer>[] = [];
  globalThis.SharedArrayBuffer = class extends SharedArrayBuffer {
    constructor(size?: number) {
      super(size ?? 0);
      made.push(new WeakRef(this));
    }
  };
  return () => {
    made = made.filter((memory) => memory.deref() !== undefined); // or they would be counted themselves, one day
    return made.reduce((sum, memory) => sum + (memory.deref()?.byteLength ?? 0), 0);
  };
}

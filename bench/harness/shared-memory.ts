/**
 * Counts shared memory, which Node's own figures omit: all that was allocated since the first call and was not freed at
 * the last garbage collection.
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
    made = made.filter((memory) => memory.deref() !== undefined); // drop dead references, so that the list stays small
    return made.reduce((sum, memory) => sum + (memory.deref()?.byteLength ?? 0), 0);
  };
}

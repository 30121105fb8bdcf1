/**
 * Memory for the bytes of many objects, outside V8's heap, written from front to back and never in place.
 *
 * Bytes once written stay as they are, so whoever has a block may read it whenever he likes, also long after the cache
 * has a newer version: the garbage collector frees a page when its last reader is gone. What the cache keeps is counted
 * (`hold`, `release`), and a page of which less than half is kept is emptied: what is kept moves to the newest page.
 */
export class Slab {
  #page: Page = { bytes: none, used: 0, kept: 0, blocks: [] };
  #kept = 0;

  /** Bytes that the cache keeps. */
  get kept(): number {
    return this.#kept;
  }

  /** Gives `block` so many bytes of its own, for the caller to write at once. */
  place(block: Block, length: number): void {
    const page = this.#pageFor(length);
    block.page = page;
    block.start = page.used;
    block.length = length;
    page.used += length;
    page.blocks.push(block);
  }

  /** The cache keeps this one from now on. */
  hold(block: Block): void {
    block.held = true;
    block.page.kept += block.length;
    this.#kept += block.length;
  }

  /** The cache no longer keeps it. Who has it may still read it. */
  release(block: Block): void {
    const { page } = block;
    block.held = false;
    page.kept -= block.length;
    this.#kept -= block.length;
    if (page !== this.#page && page.kept < page.used / 2) this.#empty(page);
  }

  #pageFor(length: number): Page {
    const page = this.#page;
    if (page.used + length <= page.bytes.length) return page;
    if (length > largestPage / 4) return newPage(length); // one of its own: the page in use has room for others
    this.#page = newPage(Math.min(Math.max(page.bytes.length * 2, smallestPage, length * 4), largestPage));
    if (page.kept < page.used / 2) this.#empty(page);
    return this.#page;
  }

  #empty(page: Page): void {
    const { blocks, bytes } = page;
    page.blocks = [];
    page.kept = 0;
    for (const block of blocks) {
      if (!block.held || block.page !== page) continue;
      const { start, length } = block;
      this.place(block, length);
      bytes.copy(block.page.bytes, block.start, start, start + length);
      block.page.kept += length;
    }
  }
}

/** Bytes in a slab. Where they are is the slab's to change; what they say stays. */
export interface Block {
  page: Page;
  start: number;
  length: number;
  /** Whether the cache keeps it. */
  held: boolean;
}

export interface Page {
  readonly bytes: Buffer;
  /** How far it is written. */
  used: number;
  /** Bytes of it that the cache keeps. */
  kept: number;
  blocks: Block[];
}

/** A cache of few objects takes little. */
const smallestPage = 16 * 1024;
const largestPage = 1024 * 1024;
const none = Buffer.alloc(0);

/** Not of Node's own pool, which would be kept alive with it. */
function newPage(size: number): Page {
  return { bytes: Buffer.allocUnsafeSlow(size), used: 0, kept: 0, blocks: [] };
}

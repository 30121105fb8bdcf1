import { copyInto, uncounted } from "./uncounted.ts";

/**
 * Memory for the bytes of many objects, outside V8's heap, written from front to back and never in place.
 *
 * Bytes once written stay as they are, so whoever has a block may read it whenever he likes, also long after the cache
 * has a newer version: the garbage collector frees a page when its last reader is gone. What the cache keeps is counted
 * (`hold`, `release`), and where pages take half as much again, the emptiest is given up: what is kept of it moves to the
 * newest.
 */
export class Slab {
  #page: Page = newPage(0);
  /** Those that are counted: of which something is kept, or may yet be. */
  readonly #pages = new Set<Page>();
  /** Bytes of all of them. */
  #size = 0;
  #kept = 0;

  /** Bytes that the cache keeps. */
  get kept(): number {
    return this.#kept;
  }

  /** Bytes that the cache takes for what it keeps. */
  get size(): number {
    return this.#size;
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
    const { page, length } = block;
    block.held = true;
    page.kept += length;
    this.#kept += length;
    if (!page.counted) this.#count(page);
  }

  /** The cache no longer keeps it. Who has it may still read it. */
  release(block: Block): void {
    const { page, length } = block;
    block.held = false;
    page.kept -= length;
    this.#kept -= length;
    if (page.kept === 0 && page !== this.#page) this.#discount(page);
    if (this.#size > 1.5 * this.#kept + this.#page.bytes.length) this.#empty(this.#emptiest());
  }

  #pageFor(length: number): Page {
    const page = this.#page;
    if (page.used + length <= page.bytes.length) return page;
    const alone = length > largestPage / 4; // the page in use has room for others
    const next = newPage(alone ? length : pageSize(this.#size, length));
    this.#count(next);
    if (!alone) this.#page = next;
    return next;
  }

  /** Of those that are full. */
  #emptiest(): Page | undefined {
    let emptiest: Page | undefined;
    let least = 1;
    for (const page of this.#pages) {
      const part = page.kept / page.bytes.length;
      if (part >= least || page === this.#page) continue;
      emptiest = page;
      least = part;
    }
    return emptiest;
  }

  #empty(page: Page | undefined): void {
    if (!page) return;
    const { blocks, bytes } = page;
    for (const block of blocks) {
      if (!block.held || block.page !== page) continue;
      const { start, length } = block;
      this.place(block, length);
      copyInto(block.page.bytes, block.start, bytes.subarray(start, start + length));
      block.page.kept += length;
      page.kept -= length;
    }
    this.#discount(page);
  }

  #count(page: Page): void {
    page.counted = true;
    this.#pages.add(page);
    this.#size += page.bytes.length;
  }

  #discount(page: Page): void {
    page.counted = false;
    this.#pages.delete(page);
    this.#size -= page.bytes.length;
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
  /** Whether it is one of those that the cache takes. */
  counted: boolean;
  readonly blocks: Block[];
}

/** A cache of few objects takes little. */
const smallestPage = 16 * 1024;
const largestPage = 1024 * 1024;

/** A power of two: memory of the same size is used again. @param size of all pages there are */
function pageSize(size: number, length: number): number {
  const wanted = Math.min(Math.max(size / 8, 4 * length, smallestPage), largestPage);
  return 2 ** Math.floor(Math.log2(wanted));
}

function newPage(size: number): Page {
  return { bytes: uncounted(size), used: 0, kept: 0, counted: false, blocks: [] };
}

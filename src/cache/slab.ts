import { copyInto, giveBack, left, uncounted } from "./uncounted.ts";

/**
 * Memory for the bytes of many objects, outside V8's heap, written from front to back.
 *
 * Bytes once written stay as they are for whoever has a claim to them, also long after the cache has a newer version. What the
 * cache keeps is counted (`hold`, `release`). Where pages take a quarter as much again, the emptiest is given up: what is kept of
 * it moves to the newest. A page of which nothing is kept is used again (`reclaim`); the little that somebody has a claim to moves
 * to pages that the garbage collector frees when their last reader is gone, as it does with a page to which many have claims.
 */
export class Slab {
  #page: Page = newPage(0);
  /** Those that are counted: of which something is kept, or may yet be. */
  readonly #pages = new Set<Page>();
  /** Those that are not any more, and have yet to be used again; the oldest is first. */
  #empties: Page[] = [];
  #emptyBytes = 0;
  /** Where what others have a claim to moves. */
  #attic: Page = newPage(0);
  /** Bytes of all pages that are counted. */
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

  /** Gives `block` so many bytes of its own, for the caller to write at once. The caller has a claim to it. */
  place(block: Block, length: number): void {
    put(block, this.#pageFor(length), length);
    block.claims = 1;
  }

  /** The cache keeps this one from now on, and the claim of who gives it to the cache has ended. */
  hold(block: Block): void {
    block.held = true;
    block.claims -= 1;
    if (block.page.attic) this.#move(block);
    const { page, length } = block;
    page.kept += length;
    this.#kept += length;
    if (!page.counted) this.#count(page);
  }

  /** The cache no longer keeps it. Who has a claim to it may still read it. */
  release(block: Block): void {
    const { page, length } = block;
    block.held = false;
    page.kept -= length;
    this.#kept -= length;
    if (page.kept === 0 && page !== this.#page) this.#discount(page);
    if (this.#size > 1.25 * this.#kept + this.#page.bytes.length) this.#empty(this.#emptiest());
  }

  /**
   * Uses pages again of which nothing is kept. To be called when all who will have a claim to what the cache no longer keeps
   * have it.
   *
   * @param most blocks to look at: what is left is for the next time. @default all
   */
  reclaim(most: number = Number.POSITIVE_INFINITY): void {
    for (let left = most; left > 0 && this.#empties[0]; ) {
      const [page] = this.#empties;
      if (page.counted || isWanted(page)) this.#dropEmpty();
      else left -= this.#clear(page, left);
    }
  }

  /** Clears so many blocks off the first of those that are empty, or all, which frees it. Says how many. */
  #clear(page: Page, most: number): number {
    const blocks = page.blocks.splice(-Math.min(most, page.blocks.length));
    for (const block of blocks) {
      if (block.page !== page) continue;
      if (block.claims > 0) this.#moveTo(block, this.#atticFor(block.length));
      else block.page = gone;
    }
    left(blocks.length * blockBytes);
    if (page.blocks.length === 0) {
      this.#dropEmpty();
      giveBack(page.bytes);
    }
    return blocks.length;
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

  #atticFor(length: number): Page {
    if (this.#attic.used + length > this.#attic.bytes.length) {
      this.#attic = { ...newPage(Math.max(atticPage, length)), attic: true };
    }
    return this.#attic;
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
    for (const block of page.blocks) {
      if (!block.held || block.page !== page) continue;
      this.#move(block);
      block.page.kept += block.length;
      page.kept -= block.length;
    }
    this.#discount(page);
  }

  #move(block: Block): void {
    this.#moveTo(block, this.#pageFor(block.length));
  }

  #moveTo(block: Block, page: Page): void {
    const { start, length } = block;
    const { bytes } = block.page;
    put(block, page, length);
    copyInto(page.bytes, block.start, bytes.subarray(start, start + length));
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
    this.#empties.push(page);
    this.#emptyBytes += page.bytes.length;
    // who would tell when it can be used again is long in coming: it is left to the garbage collector
    while (this.#emptyBytes > this.#kept / 4 + mostEmpty) this.#dropEmpty();
  }

  /** The oldest. */
  #dropEmpty(): void {
    this.#emptyBytes -= this.#empties.shift()?.bytes.length ?? this.#emptyBytes;
  }
}

/** Bytes in a slab. Where they are is the slab's to change; what they say stays. */
export interface Block {
  page: Page;
  start: number;
  length: number;
  /** Whether the cache keeps it. */
  held: boolean;
  /** How many others may yet look at it. Who does not know until when leaves it at that, for the garbage collector to find out. */
  claims: number;
}

export interface Page {
  readonly bytes: Buffer;
  /** How far it is written. */
  used: number;
  /** Bytes of it that the cache keeps. */
  kept: number;
  /** Whether it is one of those that the cache takes. */
  counted: boolean;
  /** What was put there; not in an attic, which is never used again. */
  blocks: Block[];
  readonly attic: boolean;
}

/** Whether so many have claims to what is there that to move it costs more than the page is worth: it is left to the garbage collector. */
function isWanted(page: Page): boolean {
  let claimed = 0;
  for (const block of page.blocks) if (block.page === page && block.claims > 0) claimed += 1;
  return claimed > 8 && claimed * 8 > page.blocks.length;
}

function put(block: Block, page: Page, length: number): void {
  block.page = page;
  block.start = page.used;
  block.length = length;
  page.used += length;
  if (!page.attic) page.blocks.push(block);
}

/** Bytes of empty pages that wait to be used again, beside a quarter of what is kept. */
const mostEmpty = 64 * 1024;

/** What a block takes on the heap, with its version. */
const blockBytes = 256;

/** A cache of few objects takes little. */
const smallestPage = 16 * 1024;
const largestPage = 1024 * 1024;
/** Free when all that is there is: the larger, the later. */
const atticPage = 64 * 1024;

/** A power of two: memory of the same size is used again. @param size of all pages there are */
function pageSize(size: number, length: number): number {
  const wanted = Math.min(Math.max(size / 16, 4 * length, smallestPage), largestPage);
  return 2 ** Math.floor(Math.log2(wanted));
}

function newPage(size: number): Page {
  return { bytes: uncounted(size), used: 0, kept: 0, counted: false, blocks: [], attic: false };
}

/** Where what nobody had a claim to was. */
export const gone: Page = newPage(0);

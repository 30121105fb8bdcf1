/**
 * Memory for the bytes of the objects of a store: pages outside V8's heap, written from front to back.
 *
 * A block is the bytes of one version of an object. The store keeps the newest version; events, lazily parsed objects and
 * changes that wait for a handler retain the versions that they may still read.
 *
 * ```
 *             place             hold            drop
 *   new block ─────▶ incoming ───────▶ held ───────────▶ dropped ──▶ freed, when nobody retains it
 *                       │               ▲                 │  │
 *                       │               └──────hold───────┘  └─────▶ moved to the heap, when its page is needed
 *                       └──────────────drop──────────────▶
 * ```
 *
 * - A block that is freed cannot be read any more, and a page without blocks is reused at once.
 * - A block that is moved to the heap becomes a string of its own size, which the garbage collector frees as any other. So
 *   whoever never releases what it retains keeps that alive and nothing else.
 * - If the pages are more than a quarter larger than what is incoming and held, the page with the least of that is freed: it
 *   moves to the current page, and what is dropped to the heap.
 */
export class Slab {
  #current: Page;
  readonly #pages = new Set<Page>();
  /** The page that was freed last. */
  #spare: Buffer | undefined;
  #size = 0;
  #used = 0;

  constructor() {
    this.#current = newPage(this, 0);
  }

  /** Bytes of the blocks that are incoming or held. */
  get used(): number {
    return this.#used;
  }

  /** Bytes of all pages. */
  get size(): number {
    return this.#size;
  }

  /** Reserves `length` bytes for a new block. The caller writes them before anything else happens here. */
  place(block: Block, length: number): Page {
    const page = this.#pageFor(length);
    block.state = "incoming";
    put(block, page, length);
    this.#count(page, length);
    return page;
  }

  /** The store keeps the block from now on. */
  hold(block: Block): void {
    const { memory, state, length } = block;
    if (memory === freed) throw new Error("expected a block with its bytes, got a freed one");
    if (typeof memory === "string") this.place(block, length).bytes.write(memory, block.start, "latin1");
    else if (state === "dropped") this.#count(memory, length);
    block.state = "held";
  }

  /** The store does not keep the block, or no longer. Whoever retains it can still read it. */
  drop(block: Block): void {
    const { memory: page, state, length } = block;
    if (state === "dropped" || typeof page === "string" || page === freed) return;
    block.state = "dropped";
    this.#count(page, -length);
    if (block.references === 0) this.free(block, page);
    if (this.#size > 1.25 * this.#used + this.#current.bytes.length) this.#compact();
  }

  /** Frees a dropped block that nobody retains: see `release`. */
  free(block: Block, page: Page): void {
    const last = page.blocks.pop();
    if (last && last !== block) {
      last.index = block.index;
      page.blocks[block.index] = last;
    }
    block.memory = freed;
    if (page.blocks.length === 0) this.#freePage(page);
  }

  #count(page: Page, length: number): void {
    page.used += length;
    this.#used += length;
  }

  /** Frees the page with the least in it. */
  #compact(): void {
    let emptiest: Page | undefined;
    let least = 1;
    for (const page of this.#pages) {
      const share = page.used / page.bytes.length;
      if (share >= least || page === this.#current) continue;
      emptiest = page;
      least = share;
    }
    if (!emptiest) return;
    for (const block of emptiest.blocks) this.#evacuate(block, emptiest);
    this.#freePage(emptiest);
  }

  #evacuate(block: Block, page: Page): void {
    const { start, length } = block;
    if (block.state === "dropped") {
      block.memory = page.bytes.toString("latin1", start, start + length);
      return;
    }
    const target = this.#pageFor(length);
    put(block, target, length);
    page.bytes.copy(target.bytes, block.start, start, start + length);
    target.used += length;
  }

  /** Of a page without blocks. The current one is written from its front again. */
  #freePage(page: Page): void {
    if (page === this.#current) {
      page.end = 0;
      return;
    }
    this.#pages.delete(page);
    this.#size -= page.bytes.length;
    if (page.bytes.length <= largestPage) this.#spare = page.bytes;
  }

  #pageFor(length: number): Page {
    const current = this.#current;
    if (current.end + length <= current.bytes.length) return current;
    const alone = length > largestPage / 4; // the current page has room for others
    const page = this.#newPage(alone ? length : pageSize(this.#size, length));
    if (alone) return page;
    this.#current = page;
    if (current.blocks.length === 0) this.#freePage(current);
    return page;
  }

  #newPage(size: number): Page {
    const spare = this.#spare?.length === size ? this.#spare : undefined;
    if (spare) this.#spare = undefined;
    const page = newPage(this, size, spare);
    this.#pages.add(page);
    this.#size += size;
    return page;
  }
}

/** Bytes in a slab. Their place may change, their content does not. */
export interface Block {
  state: "incoming" | "held" | "dropped";
  /** How many retain it. See `retain` and `release`. */
  references: number;
  /** The page that has its bytes, or the bytes themselves, a character for each. */
  memory: Page | string | typeof freed;
  /** Where they are in the page. */
  start: number;
  length: number;
  /** Where the block is among those of the page. */
  index: number;
}

export interface Page {
  readonly slab: Slab;
  readonly bytes: Buffer;
  /** Where the next block is written. */
  end: number;
  /** Bytes of its blocks that are incoming or held. */
  used: number;
  /** In no order. */
  readonly blocks: Block[];
}

/** In place of the bytes of a block that was freed. */
export const freed: unique symbol = Symbol("freed");

/** The caller may read the block until it calls `release`, which it need not do. */
export function retain(block: Block): void {
  block.references += 1;
}

/** The caller does not read the block any more. */
export function release(block: Block): void {
  const { memory, state } = block;
  block.references -= 1;
  if (block.references > 0 || state !== "dropped" || memory === freed) return;
  if (typeof memory === "string") block.memory = freed;
  else memory.slab.free(block, memory);
}

function put(block: Block, page: Page, length: number): void {
  block.memory = page;
  block.index = page.blocks.push(block) - 1;
  block.start = page.end;
  block.length = length;
  page.end += length;
}

/** A store of few objects takes little. */
const smallestPage = 16 * 1024;
const largestPage = 1024 * 1024;

/** A power of two, so that a freed page fits again. @param size of all pages there are */
function pageSize(size: number, length: number): number {
  const wanted = Math.min(Math.max(size / 16, 4 * length, smallestPage), largestPage);
  return 2 ** Math.floor(Math.log2(wanted));
}

function newPage(slab: Slab, size: number, bytes: Buffer = Buffer.allocUnsafeSlow(size)): Page {
  return { slab, bytes, end: 0, used: 0, blocks: [] };
}

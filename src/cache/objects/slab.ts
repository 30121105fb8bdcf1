/**
 * Off-heap memory for the objects of one store: pages outside the V8 heap, written from front to back.
 *
 * A block is the bytes of one version of an object. The store keeps the newest version of each object. Events, lazily
 * parsed objects and changes that are queued for a handler retain the older versions that they may still read.
 *
 * ```
 *             allocate            store             drop
 *   new block ────────▶ incoming ───────▶ stored ───────────▶ dropped ──▶ freed, at reference count 0
 *                          │                 ▲                  │  │
 *                          │                 └──────store───────┘  └────▶ moved to the heap, when its page is compacted
 *                          └──────────────────drop─────────────▶
 * ```
 *
 * - A freed block cannot be read: `Entry` throws. A page without blocks is reused at once.
 * - A block that moves to the heap becomes a string of its own size, which the garbage collector frees. So a reader
 *   that never calls `release` keeps the blocks alive that it retains, but not their pages.
 * - The pages are at most a quarter larger than the incoming and stored blocks. Beyond that, `drop` compacts the page
 *   with the lowest share of such blocks: they move to the current page, and its dropped blocks move to the heap.
 */
export class Slab {
  /** The page that new blocks are written to. Not in `#pages` while it is the empty first one. */
  #current: Page;
  readonly #pages = new Set<Page>();
  /** Memory of the page that was freed last, for the next page of that size. */
  #spare: Buffer | undefined;
  #size = 0;
  #used = 0;

  constructor() {
    this.#current = newPage(this, 0);
  }

  /** Bytes of the incoming and stored blocks. */
  get used(): number {
    return this.#used;
  }

  /** Bytes of all pages. */
  get size(): number {
    return this.#size;
  }

  /** Reserves `length` bytes for a new block. The caller writes them before it calls the slab again. */
  allocate(block: Block, length: number): Page {
    const page = this.#pageFor(length);
    block.state = "incoming";
    append(block, page, length);
    this.#count(page, length);
    return page;
  }

  /** Marks the block as the version that the store keeps. A block that moved to the heap gets page memory again. */
  store(block: Block): void {
    const { memory, state, length } = block;
    if (memory === freed) throw new Error("block already freed");
    if (typeof memory === "string") this.allocate(block, length).bytes.write(memory, block.start, "latin1");
    else if (state === "dropped") this.#count(memory, length);
    block.state = "stored";
  }

  /** Marks the block as not kept by the store. It stays readable while its reference count is above 0. */
  drop(block: Block): void {
    const { memory: page, state, length } = block;
    if (state === "dropped" || typeof page === "string" || page === freed) return;
    block.state = "dropped";
    this.#count(page, -length);
    if (block.references === 0) this.free(block, page);
    if (this.#size > 1.25 * this.#used + this.#current.bytes.length) this.#compact();
  }

  /** Frees a dropped block whose reference count is 0. Called by `drop` and `release`. */
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

  /** Empties and frees the page with the lowest share of incoming and stored bytes. */
  #compact(): void {
    let emptiest: Page | undefined;
    let minShare = 1;
    for (const page of this.#pages) {
      const share = page.used / page.bytes.length;
      if (share >= minShare || page === this.#current) continue;
      emptiest = page;
      minShare = share;
    }
    if (!emptiest) return;
    for (const block of emptiest.blocks) this.#evacuate(block, emptiest);
    this.#freePage(emptiest);
  }

  /** Moves a block off its page. `#used` does not change: dropped bytes are not counted, and others stay counted. */
  #evacuate(block: Block, page: Page): void {
    const { start, length } = block;
    if (block.state === "dropped") {
      block.memory = page.bytes.toString("latin1", start, start + length);
      return;
    }
    const target = this.#pageFor(length);
    append(block, target, length);
    page.bytes.copy(target.bytes, block.start, start, start + length);
    target.used += length;
  }

  /** Frees a page without blocks. The current page stays and is written from its start again. */
  #freePage(page: Page): void {
    if (page === this.#current) {
      page.end = 0;
      return;
    }
    this.#pages.delete(page);
    this.#size -= page.bytes.length;
    if (page.bytes.length <= maxPageSize) this.#spare = page.bytes;
  }

  /** Returns a page with room for a block. A large block gets its own page, because the current one still has room. */
  #pageFor(length: number): Page {
    const current = this.#current;
    if (current.end + length <= current.bytes.length) return current;
    const alone = length > maxPageSize / 4;
    const page = this.#addPage(alone ? length : pageSize(this.#size, length));
    if (alone) return page;
    this.#current = page;
    if (current.blocks.length === 0) this.#freePage(current);
    return page;
  }

  #addPage(size: number): Page {
    const spare = this.#spare?.length === size ? this.#spare : undefined;
    if (spare) this.#spare = undefined;
    const page = newPage(this, size, spare);
    this.#pages.add(page);
    this.#size += size;
    return page;
  }
}

/** Bytes in a slab. They may move, but their content never changes. Only the slab writes these fields. */
export interface Block {
  state: "incoming" | "stored" | "dropped";
  /** Reference count. See `retain` and `release`. */
  references: number;
  /** The page that contains the bytes; or the bytes themselves, one Latin-1 character for each byte. */
  memory: Page | string | typeof freed;
  /** Offset of the bytes in the page. */
  start: number;
  length: number;
  /** Index of the block in `Page.blocks`, so that it can be removed without a search. */
  index: number;
}

export interface Page {
  readonly slab: Slab;
  readonly bytes: Buffer;
  /** Offset at which the next block is written. */
  end: number;
  /** Bytes of its incoming and stored blocks. */
  used: number;
  /** All blocks of the page, in no order. */
  readonly blocks: Block[];
}

/** Replaces the memory of a freed block. */
export const freed: unique symbol = Symbol("freed");

/** Keeps the block readable until `release`. A caller that never releases it leaves it to the garbage collector. */
export function retain(block: Block): void {
  block.references += 1;
}

/** Ends one `retain`. A dropped block is freed with its last reference. */
export function release(block: Block): void {
  const { memory, state } = block;
  block.references -= 1;
  if (block.references > 0 || state !== "dropped" || memory === freed) return;
  if (typeof memory === "string") block.memory = freed;
  else memory.slab.free(block, memory);
}

function append(block: Block, page: Page, length: number): void {
  block.memory = page;
  block.index = page.blocks.push(block) - 1;
  block.start = page.end;
  block.length = length;
  page.end += length;
}

/** Small, so that a store of few objects uses little memory. */
const minPageSize = 16 * 1024;
const maxPageSize = 1024 * 1024;

/**
 * Returns the size of the next page: a sixteenth of all pages, so that the unused end of the current page stays a small
 * share. Sizes are powers of two, so that a freed page can be reused.
 *
 * @param size bytes of all pages
 */
function pageSize(size: number, length: number): number {
  const wanted = Math.min(Math.max(size / 16, 4 * length, minPageSize), maxPageSize);
  return 2 ** Math.floor(Math.log2(wanted));
}

function newPage(slab: Slab, size: number, bytes: Buffer = Buffer.allocUnsafeSlow(size)): Page {
  return { slab, bytes, end: 0, used: 0, blocks: [] };
}

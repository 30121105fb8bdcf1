import { endOfValue, nowhere, Word, walkArray, walkObject } from "./json-walk.ts";
import { ObjectScan } from "./scan-object.ts";

/** A list as far as it was looked at. */
export interface ScannedList {
  readonly metadata: unknown;
  readonly items: unknown[];
}

/**
 * Parses a list item by item, each without its managedFields. `undefined` where it is not the compact JSON of a list
 * that an API server writes; that is for a parser to look at. Throws where an item is no JSON.
 */
export function scanList(bytes: Buffer): ScannedList | undefined {
  const items: unknown[] = [];
  let metadata: unknown;
  const end = walkObject(bytes, 0, (key, value) => {
    if (words.items.is(bytes, key, value)) return itemsAt(bytes, value, items);
    const valueEnd = endOfValue(bytes, value);
    if (words.metadata.is(bytes, key, value) && valueEnd > 0) {
      metadata = JSON.parse(bytes.toString("utf8", value, valueEnd));
    }
    return valueEnd;
  });
  return metadata === undefined || !isLast(bytes, end) ? undefined : { metadata, items };
}

function itemsAt(bytes: Buffer, at: number, items: unknown[]): number {
  const scan = new ObjectScan();
  const separator = separatorAt(bytes, at + 1);
  let guessing = true;
  return walkArray(bytes, at, (start) => {
    const metadataEnd = guessing ? scan.metadata(bytes, start) : nowhere;
    const guess = metadataEnd > 0 ? bytes.indexOf(separator, metadataEnd) : nowhere;
    guessing = guess > 0; // the last item has no separator, and one that is sought in vain is sought to the end
    const guessed = guessing ? parsed(scan, guess) : undefined;
    const end = guessed === undefined ? scan.whole(bytes, start) : guess;
    if (end !== nowhere) items.push(guessed ?? scan.parse(end));
    return end;
  });
}

/**
 * What lies between an item and the next: a comma, and the beginning of the first. Found within an item too, but what
 * ends there is no JSON: of all that begins where an object does, that object alone is. So who can parse has guessed right,
 * and items need not be walked to their end.
 */
function separatorAt(bytes: Buffer, start: number): Buffer {
  const keyEnd = bytes.indexOf('":', start);
  return Buffer.concat([Buffer.from(","), bytes.subarray(start, keyEnd < 0 ? start : keyEnd + 2)]);
}

function parsed(scan: ObjectScan, end: number): unknown {
  try {
    return scan.parse(end);
  } catch {
    return undefined;
  }
}

/** Nothing follows but the newline that servers write. */
function isLast(bytes: Buffer, end: number): boolean {
  return end === bytes.length || (end === bytes.length - 1 && bytes[end] === newline);
}

const newline = 0x0a;
const words = { items: new Word("items"), metadata: new Word("metadata") };

import { Word } from "./word.ts";

export type ChangeType = "added" | "modified" | "deleted";

/** A change as a server tells of it in a watch. */
export interface ToldChange {
  readonly word: string;
  readonly meaning: ChangeType;
  /** What stands before the object. */
  readonly opening: Word;
}

const added = toldAs("ADDED", "added");
const modified = toldAs("MODIFIED", "modified");
const deleted = toldAs("DELETED", "deleted");

function toldAs(word: string, meaning: ChangeType): ToldChange {
  return { word, meaning, opening: new Word(`{"type":"${word}","object":`) };
}

const byWord = new Map<unknown, ChangeType>(
  [added, modified, deleted].map(({ word, meaning }) => [word, meaning]),
);

/** What a server calls by this word, or `undefined` where that is no change. */
export function changeNamed(word: unknown): ChangeType | undefined {
  return byWord.get(word);
}

const firstOfWord = '{"type":"'.length;

/** What the line that begins at `start` tells of, where it begins as servers begin it. */
export function changeAt(bytes: Buffer, start: number): ToldChange | undefined {
  if (start + firstOfWord >= bytes.length) return undefined;
  const change = changeOf(bytes[start + firstOfWord] ?? 0);
  return change?.opening.beginsAt(bytes, start) ? change : undefined;
}

function changeOf(letter: number): ToldChange | undefined {
  switch (letter) {
    case 0x41: // A
      return added;
    case 0x4d: // M
      return modified;
    case 0x44: // D
      return deleted;
    default:
      return undefined;
  }
}

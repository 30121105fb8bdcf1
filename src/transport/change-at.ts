import { Word } from "./json-walk.ts";

export type ChangeType = "added" | "modified" | "deleted";

/** A change as a server tells of it in a watch. */
export interface ToldChange {
  readonly word: string;
  readonly meaning: ChangeType;
  /** What stands before the object. */
  readonly opening: Word;
}

const changes: readonly ToldChange[] = [
  toldAs("ADDED", "added"),
  toldAs("MODIFIED", "modified"),
  toldAs("DELETED", "deleted"),
];

function toldAs(word: string, meaning: ChangeType): ToldChange {
  return { word, meaning, opening: new Word(`{"type":"${word}","object":`) };
}

const byWord = new Map<unknown, ChangeType>(changes.map(({ word, meaning }) => [word, meaning]));

/** What a server calls by this word, or `undefined` where that is no change. */
export function changeNamed(word: unknown): ChangeType | undefined {
  return byWord.get(word);
}

const byLetter = new Map(changes.map((change) => [change.word.charCodeAt(0), change]));
const firstOfWord = '{"type":"'.length;

/** What the line that begins at `start` tells of, where it begins as servers begin it. */
export function changeAt(bytes: Buffer, start: number): ToldChange | undefined {
  const change = byLetter.get(bytes[start + firstOfWord] ?? 0);
  return change?.opening.beginsAt(bytes, start) ? change : undefined;
}

import type { Source } from "./source.ts";

export function factsModule(_source: Source, release: string): string {
  return `export const release = ${JSON.stringify(release)};\n`;
}

/** Returns lines with padded columns: the first aligned to the left, the others to the right. */
export function aligned(lines: readonly (readonly string[])[]): string {
  const widths = (lines[0] ?? []).map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  const pad = (text: string, column: number) =>
    column === 0 ? text.padEnd(widths[0] ?? 0) : text.padStart(widths[column] ?? 0);
  return lines.map((line) => line.map(pad).join("  ").trimEnd()).join("\n");
}

/** A session at a terminal, as Markdown: what was typed and what came of it are indented, all else is prose. */
export type Transcript = readonly Part[];

/** Prose, as it stands, or a command with all it printed, without blanks at the end. */
export type Part =
  | { readonly type: "prose"; readonly text: string }
  | { readonly type: "command"; readonly command: string; readonly output: string };

/** Reads one. A command begins with `$ `, and goes on in lines that begin with `> `. */
export function parseTranscript(text: string): Transcript {
  const pieces = text.split(/^(?= {4}\$ |\S)/m);
  return pieces.map((piece) =>
    piece.startsWith(prompt) ? commandOf(piece) : { type: "prose", text: piece },
  );
}

/** Writes one, such that what was read comes out the same. */
export function printTranscript(parts: Transcript): string {
  return parts
    .map((part, index) => (part.type === "prose" ? part.text : printCommand(part, parts[index + 1])))
    .join("");
}

const prompt = "    $ ";
const more = "    > ";

function commandOf(piece: string): Part {
  const lines = piece.trimEnd().split("\n");
  const end = lines.findIndex((line, index) => index > 0 && !`${line} `.startsWith(more));
  const typed = end < 0 ? lines : lines.slice(0, end);
  const printed = lines.slice(typed.length);
  return {
    type: "command",
    command: typed.map((line) => line.slice(prompt.length)).join("\n"),
    output: printed.map((line) => line.slice(4)).join("\n"),
  };
}

function printCommand(
  { command, output }: { command: string; output: string },
  next: Part | undefined,
): string {
  const typed = prompt + command.replaceAll("\n", `\n${more}`);
  const printed = output === "" ? [] : output.split("\n").map((line) => `    ${line}`);
  const block = [...typed.split("\n"), ...printed].map((line) => line.trimEnd()).join("\n");
  return next?.type === "prose" ? `${block}\n\n` : `${block}\n`;
}

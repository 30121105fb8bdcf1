/** A terminal session as Markdown. Commands and their output are indented; the rest is prose. */
export type Transcript = readonly Part[];

/** Prose, or a command with its output, without trailing spaces. */
export type Part =
  | { readonly type: "prose"; readonly text: string }
  | { readonly type: "command"; readonly command: string; readonly output: string };

/** Parses a transcript. A command starts with `$ ` and continues on lines that start with `> `. */
export function parseTranscript(text: string): Transcript {
  const pieces = text.split(/^(?= {4}\$ |\S)/m);
  return pieces.map((piece) =>
    piece.startsWith(prompt) ? commandOf(piece) : { type: "prose", text: piece },
  );
}

/** Writes a transcript, so that a parsed one is unchanged. */
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

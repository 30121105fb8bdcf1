import { type ParseArgsConfig, parseArgs } from "node:util";

type Options = NonNullable<ParseArgsConfig["options"]>;
type Parsed<O extends Options> = ReturnType<typeof parseArgs<{ options: O; allowPositionals: true }>>;

export interface CommandLine<O extends Options> {
  /** What `--help` prints. Its first line says how the program is called: `npm run soak -- [--minutes N] [--seed N]`. */
  readonly help: string;
  readonly options: O;
  /** Which options are numbers from 0 on. @default none */
  readonly numbers?: readonly (keyof O & string)[] | undefined;
  /** How many arguments there may be that are no options. @default 0 */
  readonly positionals?: number | undefined;
  /** @default those of the process */
  readonly args?: readonly string[] | undefined;
  /** What is done instead of going on. @default to print the text and to end the process with the code */
  readonly end?: ((text: string, code: 0 | 2) => never) | undefined;
}

/**
 * Reads what a program was called with. `--help` ends it, and so does a mistake: with one line that says what was expected
 * and what came, and with 2.
 */
export function readCommandLine<const O extends Options>(line: CommandLine<O>): Parsed<O> {
  const { help, numbers = [], positionals = 0, args = process.argv.slice(2), end = endProcess } = line;
  if (args.includes("--help") || args.includes("-h")) return end(help, 0);
  const [usage] = help.split("\n", 1);
  const parsed = parsedOrNothing(args, line.options);
  if (parsed === undefined || parsed.positionals.length > positionals) {
    return end(`expected ${usage}, got ${args.join(" ")}\n`, 2);
  }
  const values: Readonly<Record<string, unknown>> = parsed.values;
  for (const name of numbers) {
    if (/^\d+(\.\d+)?$/.test(String(values[name]))) continue;
    return end(`expected a number after --${name}, got ${values[name]}\n`, 2);
  }
  return parsed;
}

function parsedOrNothing<O extends Options>(args: readonly string[], options: O): Parsed<O> | undefined {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch {
    // All that it throws for is a mistake of who called: an option that there is not, or one without its value.
    return undefined;
  }
}

function endProcess(text: string, code: 0 | 2): never {
  (code === 0 ? process.stdout : process.stderr).write(text);
  process.exit(code);
}

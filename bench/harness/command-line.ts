import { type ParseArgsConfig, parseArgs } from "node:util";

type Options = NonNullable<ParseArgsConfig["options"]>;
type Parsed<O extends Options> = ReturnType<typeof parseArgs<{ options: O; allowPositionals: true }>>;

export interface CommandLine<O extends Options> {
  /** Text of `--help`. Its first line is the usage: `npm run soak -- [--minutes N] [--seed N]`. */
  readonly help: string;
  readonly options: O;
  /** Names of options that are non-negative numbers. @default none */
  readonly numbers?: readonly (keyof O & string)[] | undefined;
  /** Maximum number of positional arguments. @default 0 */
  readonly positionals?: number | undefined;
  /** The arguments. @default those of the process */
  readonly args?: readonly string[] | undefined;
  /** Called instead of continuing. @default prints the text and exits with the code */
  readonly end?: ((text: string, code: 0 | 2) => never) | undefined;
}

/**
 * Parses the command line of a program. `--help` exits, and so does an error: with one line that states the expected
 * and the given arguments, and with code 2.
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
    // It throws only for user errors: an unknown option, or an option without its value.
    return undefined;
  }
}

function endProcess(text: string, code: 0 | 2): never {
  (code === 0 ? process.stdout : process.stderr).write(text);
  process.exit(code);
}

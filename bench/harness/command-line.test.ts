import { expect, test } from "vitest";
import { readCommandLine } from "./command-line.ts";

const help = "npm run fill -- [CUP] [--times N] [--slow]\n\n  --times N  how often\n";

/** The result of a call: the parsed options, or the exit code and text. */
function call(...args: readonly string[]): unknown {
  try {
    const { values, positionals } = readCommandLine({
      help,
      options: { times: { type: "string", default: "3" }, slow: { type: "boolean", default: false } },
      numbers: ["times"],
      positionals: 1,
      args,
      end: (text, code) => {
        throw { text, code };
      },
    });
    return { ...values, positionals };
  } catch (ending) {
    return ending;
  }
}

test("given options are parsed, and the others have their defaults", () => {
  expect(call()).toEqual({ times: "3", slow: false, positionals: [] });
  expect(call("big", "--times", "0.5", "--slow")).toEqual({ times: "0.5", slow: true, positionals: ["big"] });
});

test.each(["--help", "-h"])("%s prints the help and exits with 0, with any other arguments", (flag) => {
  expect(call("--nothing", flag)).toEqual({ text: help, code: 0 });
});

test.each([
  ["an option that there is not", ["--fast"]],
  ["an option without its value", ["--times"]],
  ["an option for a value", ["--times", "--slow"]],
  ["a value where none is taken", ["--slow=yes"]],
  ["one argument too many", ["big", "small"]],
])("%s prints one line and the usage, and exits with 2", (_, args) => {
  const text = `expected npm run fill -- [CUP] [--times N] [--slow], got ${args.join(" ")}\n`;
  expect(call(...args)).toEqual({ text, code: 2 });
});

test.each(["many", "", "-1", "1e3", "Infinity"])("%j is not a number", (text) => {
  expect(call(`--times=${text}`)).toEqual({
    text: `expected a number after --times, got ${text}\n`,
    code: 2,
  });
});

import fc from "fast-check";

/**
 * Texts that a reader of YAML 1.1 or 1.2 takes for another value, or for syntax, if they are written without quotes.
 */
export const hostileTexts: readonly string[] = [
  ...["", "a", "a b", "a  b", " a", "a ", "nginx:1.2.3", "http://x/y?z=1", "/bin/sh -c x", "é", "日本", "😀"],
  ...[
    "y",
    "Y",
    "yes",
    "Yes",
    "n",
    "no",
    "NO",
    "on",
    "On",
    "off",
    "true",
    "True",
    "FALSE",
    "~",
    "null",
    "Null",
  ],
  ...[
    "0",
    "-1",
    "+1",
    "017",
    "0o7",
    "0x1F",
    "0b1",
    "1_000",
    "_1",
    "1e3",
    "e5",
    ".5",
    "5.",
    ".inf",
    "-.INF",
    ".nan",
  ],
  ...["1:20", "12:30:45", "2020-01-01", "2020-01-01T00:00:00Z", "18446744073709551616", "1e400", "=", "<<"],
  ...["-", "- a", "?", "? a", ":", "a:", "a: b", "#a", "a #b", "%a", "@a", "`a", "!a", "&a", "*a", "|", ">"],
  ...["[a]", "{a}", "'a'", '"a"', "\\n", "---", "--- a", "...", "a, b", 'k:{"name":"web"}'],
  ...[
    "\n",
    "a\n",
    "a\nb",
    "a\n\n",
    "\na",
    "a\n b",
    "a \nb",
    "a\nb ",
    "a\n\tb",
    "a\n---\nb",
    "a\r\nb",
    "\t",
    "a\tb",
  ],
  ...[
    "\u0001",
    "\u007f",
    "\u0085",
    "\u00a0a",
    "a\u3000",
    "\u2028",
    "a\nb\u2029",
    "\ufeff",
    "\ufffe",
    "\uffff",
  ],
  ...[
    "x".repeat(300),
    "x y ".repeat(300),
    "k".repeat(1_001),
    "k".repeat(1_100),
    "é".repeat(600),
    "\u0001".repeat(400),
  ],
  ...["__proto__", "constructor"],
];

const text = fc.oneof(
  fc.constantFrom(...hostileTexts),
  fc
    .tuple(
      fc.array(fc.constantFrom(...hostileTexts), { maxLength: 4 }),
      fc.constantFrom("", " ", "\n", ":", ": ", " #"),
    )
    .map(([texts, separator]) => texts.join(separator)),
);

/** JSON values that are made of hostile texts. */
export const { value: hostileYamlValue } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.constantFrom(null, true, false, 0, -1, 1.5, 1e-7, 1_234_567.5, 1e21, 1e300, 2 ** 53 - 1),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(text, tie("value"), { maxKeys: 3, noNullPrototype: true }),
  ),
}));

/** Errors and logs do not contain the standard output of a credential plugin, its arguments or its variables. */
import { inspect } from "node:util";
import { expect, test } from "vitest";
import { createLogger, VirtualClock } from "../../base/index.ts";
import { ConfigField } from "./config-field.ts";
import { ExecPlugin, type ExecPluginOptions } from "./exec-plugin.ts";
import type { ExecSection } from "./exec-section.ts";

const v1 = "client.authentication.k8s.io/v1";
const place = new ConfigField({}, { name: "~/.kube/config", lineOf: () => 20 }, ["users", 0, "user", "exec"]);

const printed = "printed-secret";
const argument = "argument-secret";
const variable = "variable-secret";

interface Plugin {
  /** Printed to standard output. */
  readonly prints?: string;
  /** How often the text is printed. @default once */
  readonly times?: number;
  readonly exitCode?: number;
  readonly section?: Partial<ExecSection>;
  readonly options?: Partial<ExecPluginOptions>;
}

function plugin({ prints = "", times = 1, exitCode = 0, section, options }: Plugin): ExecPlugin {
  const script = `process.stdout.write(${JSON.stringify(prints)}.repeat(${times})); process.exitCode = ${exitCode};`;
  return new ExecPlugin({
    section: {
      place,
      apiVersion: v1,
      command: process.execPath,
      args: ["--eval", script, "--", `--password=${argument}`],
      env: [{ name: "PASSWORD", value: variable }],
      installHint: "",
      provideClusterInfo: false,
      interactiveMode: "Never",
      ...section,
    },
    cluster: () => ({ server: "https://dev" }),
    terminal: "none",
    clock: new VirtualClock(),
    ...options,
  });
}

async function failureOf(failing: ExecPlugin): Promise<Error> {
  const error: unknown = await Promise.resolve(failing.current()).catch((thrown: unknown) => thrown);
  if (!(error instanceof Error)) throw new Error("expected the plugin to fail, got a credential");
  return error;
}

/** Returns everything that a program may print of an error. */
function printableFields(error: Error): string {
  const lines: string[] = [];
  const stream = { write: (text: string) => lines.push(text) };
  for (const readable of [true, false]) createLogger({ stream, readable }).error("request failed", { error });
  return [...lines, inspect(error, { depth: 10, showHidden: true }), JSON.stringify(error), error.stack].join(
    "\n",
  );
}

function reply(status: object, head: object = {}): string {
  return JSON.stringify({ apiVersion: v1, kind: "ExecCredential", status, ...head });
}

const certificate = `-----BEGIN CERTIFICATE-----\n${printed}\n-----END CERTIFICATE-----\n`;

test.each<[string, Plugin]>([
  ["text that is not JSON", { prints: printed }],
  ["a token alone", { prints: `${printed}\n` }],
  ["JSON with a text after it", { prints: `${reply({ token: printed })} ${printed}` }],
  ["JSON that is cut", { prints: reply({ token: printed }).slice(0, -3) }],
  ["a JSON text", { prints: JSON.stringify(printed) }],
  ["a JSON list", { prints: JSON.stringify([printed]) }],
  ["another kind", { prints: reply({ token: printed }, { kind: printed }) }],
  ["a kind that is an object", { prints: reply({ token: printed }, { kind: { token: printed } }) }],
  ["another apiVersion", { prints: reply({ token: printed }, { apiVersion: printed }) }],
  ["a status that is a text", { prints: reply({}, { status: printed }) }],
  ["a token that is an object", { prints: reply({ token: { value: printed } }) }],
  ["an expiry that is no time", { prints: reply({ token: printed, expirationTimestamp: printed }) }],
  [
    "a certificate that cannot be read",
    { prints: reply({ clientCertificateData: certificate, clientKeyData: printed }) },
  ],
  ["a key alone", { prints: reply({ clientKeyData: printed }) }],
  ["a credential and a failure", { prints: reply({ token: printed }), exitCode: 3 }],
  ["too much", { prints: printed, times: 100_000 }],
  ["nothing, because it is missing", { section: { command: "no-such-plugin", args: [argument] } }],
  ["nothing, because it is no program", { section: { command: "/", args: [argument] } }],
  ["nothing, because an argument has a null byte", { section: { args: [`${argument}\u0000`] } }],
  [
    "nothing, because a variable has a null byte",
    { section: { env: [{ name: "PASSWORD", value: `${variable}\u0000` }] } },
  ],
  ["nothing, because an argument is too long", { section: { args: [argument.repeat(1_000_000)] } }],
])("a plugin that prints %s", async (_, failing) => {
  const text = printableFields(await failureOf(plugin(failing)));
  expect(text).toContain("expected credential plugin");
  for (const secret of [printed, argument, variable]) expect(text).not.toContain(secret);
});

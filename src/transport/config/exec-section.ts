import { dirname, resolve } from "node:path";
import type { ConfigField, Place } from "./config-field.ts";

/** The `exec` section of a kubeconfig user, which names a credential plugin. Absent strings are empty. */
export interface ExecSection {
  readonly place: Place;
  readonly apiVersion: string;
  /** An absolute path, or a name to find on PATH. */
  readonly command: string;
  readonly args: readonly string[];
  readonly env: ReadonlyArray<{ readonly name: string; readonly value: string }>;
  readonly installHint: string;
  readonly provideClusterInfo: boolean;
  readonly interactiveMode: string;
}

export const execApiVersions: readonly string[] = [
  "client.authentication.k8s.io/v1",
  "client.authentication.k8s.io/v1beta1",
];
const interactiveModes: readonly string[] = ["Never", "IfAvailable", "Always"];

/** Reads the section at `field` of `file`. Without a file, relative commands are relative to the working directory. */
export function readExec(field: ConfigField, file: string | undefined): ExecSection {
  return {
    place: field,
    apiVersion: field.at("apiVersion").text() ?? "",
    command: resolveCommand(field.at("command").text() ?? "", file),
    args: field
      .at("args")
      .items()
      .map((item) => item.text() ?? ""),
    env: field.at("env").items().map(readVariable),
    installHint: field.at("installHint").text() ?? "",
    provideClusterInfo: field.at("provideClusterInfo").flag(),
    interactiveMode: field.at("interactiveMode").text() ?? "",
  };
}

/** Returns the problems of the section. Only the section of the selected user is checked. */
export function execProblems({ place, ...section }: ExecSection): string[] {
  const problems: string[] = [];
  const check = (field: keyof ExecSection, allowed: readonly string[]): void => {
    const value = String(section[field as keyof typeof section]);
    if (!allowed.includes(value)) {
      problems.push(place.problem(field, `to be ${allowed.join(" or ")}`, value === "" ? "none" : value));
    }
  };
  if (section.command === "") problems.push(place.problem("command", "to name a program", "none"));
  check("apiVersion", execApiVersions);
  if (section.interactiveMode !== "" || section.apiVersion === execApiVersions[0]) {
    check("interactiveMode", interactiveModes);
  }
  if (section.env.some(({ name }) => name === "")) {
    problems.push(place.problem("env", "to have a name in each entry", "one without"));
  }
  return problems;
}

function readVariable(field: ConfigField): { readonly name: string; readonly value: string } {
  return { name: field.at("name").text() ?? "", value: field.at("value").text({ secret: true }) ?? "" };
}

/** Resolves a command that is a path, relative to the folder of `file`. A plain name is found on PATH later. */
function resolveCommand(command: string, file: string | undefined): string {
  if (!/[/\\]/.test(command)) return command;
  return file === undefined ? resolve(command) : resolve(dirname(file), command);
}

import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** Thrown when a chosen port is no longer free. */
export class PortTakenError extends Error {
  override readonly name: string = "PortTakenError";
}

/** Returns the path of the log file of a program of the control plane in `folder`. */
export function logPath(folder: string, program: string): string {
  return join(folder, `${program}.log`);
}

/**
 * Returns the error for a control plane that did not start: the message of `error` with the last lines of every log in
 * its folder.
 * It is a `PortTakenError` if a log reports that an address is in use.
 */
export async function startFailure(error: Error, folder: string): Promise<Error> {
  const tails: string[] = [];
  for (const program of ["supervisor", "etcd", "kube-apiserver"]) {
    const tail = await logTail(logPath(folder, program));
    if (tail) tails.push(`the end of ${program}'s log:\n${tail}`);
  }
  const text = [error.message, ...tails].join("\n");
  const taken = tails.some((tail) => tail.includes("address already in use"));
  return taken ? new PortTakenError(text, { cause: error }) : new Error(text, { cause: error });
}

async function logTail(path: string, lines = 20): Promise<string> {
  try {
    const text = await readFile(path, "utf8");
    return text.trimEnd().split("\n").slice(-lines).join("\n");
  } catch {
    // A program that never ran has no log.
    return "";
  }
}

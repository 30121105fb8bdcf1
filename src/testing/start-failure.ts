import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** A port that was free a moment ago is not any more. */
export class PortTakenError extends Error {
  override readonly name: string = "PortTakenError";
}

/** Where a program of the control plane in `folder` writes what it has to say. */
export function logPath(folder: string, program: string): string {
  return join(folder, `${program}.log`);
}

/**
 * Why a control plane did not start: `error`, with the last lines of every log in its folder.
 * It is a `PortTakenError` when one of the programs says so.
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
    // A program that never ran has no log, which says as much as an empty one.
    return "";
  }
}

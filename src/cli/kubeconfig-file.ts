import { access, constants, mkdtemp, open, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { asError } from "../base/index.ts";
import { UserError } from "./user-error.ts";

/** The kubeconfig file of a server that runs in this process. Disposing it removes a temporary file. */
export class KubeconfigFile implements AsyncDisposable {
  readonly path: string;
  readonly temporary: boolean;

  private constructor(path: string, temporary: boolean) {
    this.path = path;
    this.temporary = temporary;
  }

  /** Rejects for a path that cannot be written and for a file of another program. It does not write yet. */
  static async at(path: string | undefined): Promise<KubeconfigFile> {
    if (path === undefined) {
      return new KubeconfigFile(join(await mkdtemp(join(tmpdir(), "trimtab-")), "kubeconfig"), true);
    }
    await check(path);
    return new KubeconfigFile(resolve(path), false);
  }

  async write(text: string): Promise<void> {
    try {
      await writePrivately(this.path, text);
    } catch (error) {
      throw unwritable(this.path, error);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.temporary) await rm(dirname(this.path), { recursive: true, force: true });
  }
}

/**
 * Writes a file that only its owner can read. It sets the mode of an existing file before it writes the text. A file of
 * another owner, whose mode cannot be changed, keeps its contents.
 */
async function writePrivately(path: string, text: string): Promise<void> {
  await using file = await open(path, constants.O_WRONLY | constants.O_CREAT, 0o600);
  await file.chmod(0o600);
  await file.truncate();
  await file.writeFile(text);
}

async function check(path: string): Promise<void> {
  try {
    const text = await readIfExists(path);
    if (text === undefined) await access(dirname(resolve(path)), constants.W_OK);
    else if (!isOurs(text)) throw otherContents(path);
    else await access(path, constants.W_OK);
  } catch (error) {
    throw error instanceof UserError ? error : unwritable(path, error);
  }
}

async function readIfExists(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** Returns true if the file contains only our cluster, so that a user's own kubeconfig is never lost. */
function isOurs(text: string): boolean {
  try {
    const { clusters } = JSON.parse(text) as { readonly clusters: ReadonlyArray<{ readonly name: string }> };
    return clusters.every(({ name }) => name === "trimtab");
  } catch {
    return text.trim() === ""; // we write JSON, so any other text is not ours
  }
}

function otherContents(path: string): UserError {
  return new UserError(
    `expected ${path} to be absent or written by trimtab, got other contents: choose another --kubeconfig`,
  );
}

function unwritable(path: string, error: unknown): UserError {
  const { message } = asError(error);
  return new UserError(`expected to write a kubeconfig to ${path}, got ${message}`, { cause: error });
}

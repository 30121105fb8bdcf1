import { spawn } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { maskedOutput } from "./masked-output.ts";

export interface TerminalOptions {
  /** Path of the kubectl to run, or its name on PATH. */
  readonly kubectl: string;
  /** Path of a kubeconfig file. It is copied, so that a transcript may change it. */
  readonly kubeconfig: string;
  readonly namespace: string;
}

/** A shell in an empty folder, whose kubectl knows only one cluster. */
export class Terminal implements AsyncDisposable {
  readonly #folder: string;
  readonly #env: NodeJS.ProcessEnv;

  private constructor(folder: string, env: NodeJS.ProcessEnv) {
    this.#folder = folder;
    this.#env = env;
  }

  static async open({ kubectl, kubeconfig, namespace }: TerminalOptions): Promise<Terminal> {
    const folder = await mkdtemp(join(tmpdir(), "trimtab-kubectl-"));
    const home = join(folder, ".home");
    await mkdir(home);
    await copyFile(kubeconfig, join(home, "kubeconfig"));
    const terminal = new Terminal(folder, {
      PATH: [...(isAbsolute(kubectl) ? [dirname(kubectl)] : []), process.env.PATH].join(delimiter),
      HOME: home,
      TMPDIR: home,
      KUBECONFIG: join(home, "kubeconfig"),
      KUBECACHEDIR: join(home, "cache"),
      LC_ALL: "C",
      TZ: "UTC",
      NODE: process.execPath,
      TSX: import.meta.resolve("tsx"),
      PROGRAMS: programs,
    });
    await terminal.run(`kubectl config set-context --current --namespace=${namespace}`);
    return terminal;
  }

  /** Runs a shell command. Returns its masked output, with a last line `[code]` if it failed. */
  async run(command: string): Promise<string> {
    const script = `. '${prelude}'\n${command}`;
    const shell = spawn("sh", ["-c", script], {
      cwd: this.#folder,
      env: this.#env,
      stdio: ["ignore", "pipe", "ignore"],
    });
    const [printed, code] = await Promise.all([
      new Response(shell.stdout).text(),
      new Promise<number | null>((resolve, reject) => shell.once("error", reject).once("exit", resolve)),
    ]);
    const output = maskedOutput(printed);
    return code === 0 ? output : `${output}\n[${code}]`.trimStart();
  }

  /** Stops background processes and removes the folder. */
  async [Symbol.asyncDispose](): Promise<void> {
    const pid = await readFile(join(this.#folder, "background.pid"), "utf8").catch(() => undefined);
    if (pid !== undefined) process.kill(Number(pid));
    await rm(this.#folder, { recursive: true, force: true });
  }
}

const programs = fileURLToPath(new URL(".", import.meta.url));
const prelude = fileURLToPath(new URL("./prelude.sh", import.meta.url));

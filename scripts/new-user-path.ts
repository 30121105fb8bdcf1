import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Follows the README as a new user, in a folder where the package, zod and TypeScript are installed: pastes its
 * programs, serves an API server, runs the controller into its errors and then to success, and stops both.
 */
export async function newUserPath(home: string, readme: string): Promise<void> {
  await pasted(home, readme);
  const absent = await failed(home, "built/main.js", { KUBECONFIG: join(home, "absent") });
  expectWords(absent, `expected KUBECONFIG to name at least one file, got ${join(home, "absent")}`);

  const kubeconfig = join(home, "kubeconfig");
  const env = { KUBECONFIG: kubeconfig };
  const server = start(home, ["node_modules/trimtab/dist/cli/main.js", "serve", "--kubeconfig", kubeconfig]);
  try {
    await saying(server, "Ctrl-C");
    expectWords(await failed(home, "built/main.js", env), "kubectl apply -f <the file of");
    await node(home, define, env);
    await reconciled(home, env);
  } finally {
    await interrupted(server);
  }
}

async function pasted(home: string, readme: string): Promise<void> {
  const [website = "", main = ""] = Array.from(readme.matchAll(/```ts\n(.*?)```/gs), ([, block]) => block);
  writeFileSync(join(home, "website.ts"), website);
  writeFileSync(join(home, "main.ts"), main);
  const compilerOptions = {
    strict: true,
    module: "nodenext",
    target: "es2023",
    lib: ["es2023", "esnext.disposable"],
    types: ["node"],
    rewriteRelativeImportExtensions: true,
    outDir: "built",
  };
  writeFileSync(join(home, "path.json"), JSON.stringify({ compilerOptions, files: ["main.ts"] }));
  await succeeded(start(home, ["node_modules/typescript/bin/tsc", "-p", "path.json"]));
}

async function reconciled(home: string, env: NodeJS.ProcessEnv): Promise<void> {
  const controller = start(home, ["built/main.js"], { env });
  const early = once(controller, "exit").then(([code]) => {
    throw new Error(`expected the controller to keep running, got exit code ${code}`);
  });
  try {
    await Promise.race([node(home, makeAndWait, env), early]);
  } finally {
    await interrupted(controller);
  }
}

const define = `
import { connect } from "trimtab";
import { CustomResourceDefinition } from "trimtab/api/apiextensions/v1";
import { Website } from "./built/website.js";
const client = await connect();
await client.create(CustomResourceDefinition, Website.toCustomResourceDefinition());
await client.close();`;

const makeAndWait = `
import { connect } from "trimtab";
import { Deployment } from "trimtab/api/apps/v1";
import { Website } from "./built/website.js";
const client = await connect();
await client.create(Website, { metadata: { name: "docs" }, spec: { image: "nginx", replicas: 2 } });
for await (const event of client.watch(Deployment)) if (event.object?.spec?.replicas === 2) break;
await client.close();`;

function node(home: string, program: string, env: NodeJS.ProcessEnv): Promise<void> {
  return succeeded(start(home, ["--input-type=module", "--eval", program], { env }));
}

/** Returns the standard error of a program that has to fail. */
async function failed(home: string, program: string, env: NodeJS.ProcessEnv): Promise<string> {
  const child = start(home, [program], { env, quiet: true });
  const [said, [code]] = await Promise.all([child.stderr?.toArray(), once(child, "exit")]);
  const text = Buffer.concat(said ?? []).toString();
  if (code === 1) return text;
  throw new Error(`expected ${program} to exit with 1, got ${code} after\n${text}`);
}

/** Checks that a user error is printed without a stack. */
function expectWords(text: string, words: string): void {
  if (text.includes(words) && !/^ +at /m.test(text)) return;
  throw new Error(`expected "${words}" and no stack, got\n${text}`);
}

function start(home: string, args: readonly string[], options: StartOptions = {}): ChildProcess {
  const { env, quiet = false } = options;
  return spawn(process.execPath, args, {
    cwd: home,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", quiet ? "pipe" : "inherit"],
  });
}

interface StartOptions {
  readonly env?: NodeJS.ProcessEnv | undefined;
  /** True if the standard error is collected instead of shown. @default false */
  readonly quiet?: boolean | undefined;
}

async function saying(child: ChildProcess, text: string): Promise<void> {
  let said = "";
  for await (const chunk of child.stdout?.iterator({ destroyOnReturn: false }) ?? []) {
    said += String(chunk);
    if (said.includes(text)) return;
  }
  throw new Error(`expected "${text}", got its exit after\n${said}`);
}

async function succeeded(child: ChildProcess): Promise<void> {
  child.stdout?.pipe(process.stdout, { end: false });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`expected ${child.spawnargs[1]} to exit with 0, got ${code}`);
}

async function interrupted(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGINT");
  const [code] = await ended;
  if (code !== 0) throw new Error(`expected ${child.spawnargs[1]} to exit with 0 on a signal, got ${code}`);
}

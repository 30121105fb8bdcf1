/**
 * Packs the package, installs the tarball into an empty project, and uses it there as a new user would: every subpath
 * of the exports map is imported, also by the compiler with both ways of resolution, a program is compiled against its
 * types, nothing else resolves, and the README is followed to a running controller.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { newUserPath } from "./new-user-path.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const home = mkdtempSync(join(tmpdir(), "trimtab-package-"));
try {
  const tarball = pack();
  install(tarball);
  importAll();
  runCommand();
  compile();
  refuseOthers();
  await newUserPath(home, readFileSync(join(root, "README.md"), "utf8"));
  process.stdout.write("package: installs, imports, compiles, and runs the README's controller\n");
} finally {
  rmSync(home, { recursive: true, force: true });
}

function pack(): string {
  run("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", home], root);
  const [name] = readdirSync(home).filter((file) => file.endsWith(".tgz"));
  if (name === undefined) throw new Error("expected npm pack to write a tarball, got none");
  return join(home, name);
}

function install(tarball: string): void {
  const { devDependencies } = manifest();
  const dependencies = {
    trimtab: `file:${tarball}`,
    typescript: devDependencies.typescript,
    "@types/node": devDependencies["@types/node"],
    zod: devDependencies.zod,
  };
  write("package.json", JSON.stringify({ name: "stranger", private: true, type: "module", dependencies }));
  run("npm", ["install", "--silent", "--no-audit", "--no-fund"], home);
}

function importAll(): void {
  const paths = subpaths();
  write(
    "import.mjs",
    paths
      .map(
        (path) =>
          `if (Object.keys(await import("${path}")).length === 0 && !${path.includes("/api/")}) throw new Error("${path} is empty");`,
      )
      .join("\n"),
  );
  run(process.execPath, ["import.mjs"], home);
  process.stdout.write(`package: ${paths.join(", ")}\n`);
}

function runCommand(): void {
  run(join(home, "node_modules/.bin/trimtab"), ["--version"], home);
}

function compile(): void {
  write(
    "program.ts",
    `import { connect } from "trimtab/client";
import { Deployment } from "trimtab/api/apps/v1";
import { keyOf } from "trimtab/api";
export async function replicas(): Promise<number[]> {
  await using client = await connect();
  const all = await client.list(Deployment, { labels: { app: "web" } });
  return all.filter((one) => keyOf(one) !== "default/web").map((one) => one.spec.replicas ?? 1);
}
`,
  );
  write(
    "imports.ts",
    subpaths()
      .map((path, at) => `export * as path${at} from "${path}";`)
      .join("\n"),
  );
  compileWith({ module: "nodenext" });
  compileWith({ module: "esnext", moduleResolution: "bundler" });
}

function compileWith(resolution: { readonly module: string; readonly moduleResolution?: string }): void {
  const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true };
  const compilerOptions = {
    ...strict,
    ...resolution,
    target: "es2023",
    lib: ["es2023", "esnext.disposable"],
    noEmit: true,
    types: ["node"],
  };
  write("tsconfig.json", JSON.stringify({ compilerOptions, files: ["program.ts", "imports.ts"] }));
  run(process.execPath, [join(home, "node_modules/typescript/bin/tsc"), "-p", "."], home);
}

/** Checks that no other path is reachable. */
function refuseOthers(): void {
  for (const path of ["trimtab/transport", ...closedSubpaths()]) {
    write("other.mjs", `await import("${path}").then(() => process.exit(1), () => {});`);
    run(process.execPath, ["other.mjs"], home);
  }
}

/** Returns the subpaths that a pattern contains and that cannot be imported. */
function closedSubpaths(): string[] {
  const closed = Object.entries(manifest().exports).filter(([, target]) => target === null);
  return closed.map(([path]) => path.replace(/^\./, "trimtab"));
}

/** Returns every subpath, with all modules of a pattern. */
function subpaths(): string[] {
  const closed = closedSubpaths();
  const open = Object.entries(manifest().exports).flatMap(([path, target]) => {
    if (path === "./package.json" || target === null) return [];
    const modules = typeof target === "object" ? modulesOf(target.default) : [""];
    return modules.map((module) => path.replace(/^\./, "trimtab").replace("*", module));
  });
  return open.filter((path) => !closed.includes(path));
}

/** Returns what `*` of a target stands for. */
function modulesOf(target: string): string[] {
  const [folder = "", ending = ""] = target.split("*");
  if (ending === "") return [""];
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(ending))
    .map((file) => file.slice(0, -ending.length).replaceAll(sep, "/"));
}

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly default: string } | null>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

function manifest(): Manifest {
  return JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Manifest;
}

function write(name: string, text: string): void {
  writeFileSync(join(home, name), text);
}

function run(command: string, args: readonly string[], cwd: string): void {
  execFileSync(command, args, { cwd, stdio: ["ignore", "inherit", "inherit"] });
}

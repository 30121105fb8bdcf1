import { type ChildProcessByStdio, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { afterAll, expect, test } from "vitest";
import { type Program, Supervisor } from "./supervisor.ts";

const outside = mkdtempSync(join(tmpdir(), "trimtab-outside-"));
afterAll(() => rmSync(outside, { recursive: true }));

const temporary = (): string => mkdtempSync(join(tmpdir(), "trimtab-supervised-"));

/** Returns a shell that runs `script` under `name`. Its log is outside the supervised folder, so it is kept. */
function shell(name: string, script: string): Program {
  return { name, file: "/bin/sh", args: ["-c", script], log: join(outside, `${name}.log`) };
}

/** Returns a program that prints "up", and records its name when it is terminated. */
const polite = (name: string): Program =>
  shell(name, `trap 'echo ${name} >> ${outside}/order; exit 0' TERM; echo up; while :; do sleep 0.05; done`);

async function up(...programs: readonly Program[]): Promise<void> {
  const logs = (): string[] => programs.map(({ log }) => (existsSync(log) ? readFileSync(log, "utf8") : ""));
  await expect.poll(logs, { timeout: 10_000 }).toEqual(programs.map(() => "up\n"));
}

/** Returns true if the process runs. A zombie does not run. */
function running(pid: number): boolean {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
  return stdout.trim() !== "" && !stdout.trim().startsWith("Z");
}

test("closing stops the programs in reverse start order and removes the folder", async () => {
  const folder = temporary();
  const programs = [polite("storage"), polite("front")];
  const supervisor = new Supervisor(folder);
  for (const program of programs) supervisor.start(program);
  await up(...programs);
  await expect.poll(() => supervisor.pids.size).toBe(2); // the report may arrive after the output
  const pids = [...supervisor.pids.values()];

  await Promise.all([supervisor.close(), supervisor.close()]);

  expect(pids.map(running)).toEqual([false, false]);
  expect(readFileSync(join(outside, "order"), "utf8")).toBe("front\nstorage\n");
  expect(existsSync(folder)).toBe(false);
  expect(supervisor.failed.aborted).toBe(false);
});

test("a program that ignores SIGTERM is killed, with the processes it has started", async () => {
  const supervisor = new Supervisor(temporary(), { graceMs: 50 });
  const stubborn = shell("stubborn", "trap '' TERM; sleep 1000 & echo $!; wait; while :; do :; done");
  supervisor.start(stubborn);
  const output = (): string => (existsSync(stubborn.log) ? readFileSync(stubborn.log, "utf8") : "");
  await expect.poll(output, { timeout: 10_000 }).toMatch(/^\d+\n$/);
  await expect.poll(() => supervisor.pids.size).toBe(1); // the report may arrive after the output
  const pids = [Number(output()), ...supervisor.pids.values()];

  await supervisor.close();

  expect(pids.map(running)).toEqual([false, false]);
});

test("a program that exits by itself is a failure with its exit code", async () => {
  await using supervisor = new Supervisor(temporary());
  supervisor.start(shell("brief", "exit 3"));
  await once(supervisor.failed, "abort");
  expect(supervisor.failed.reason).toEqual(
    new Error("expected brief to run until it is closed, got exit code 3"),
  );
});

test("a program that cannot start is a failure with the reason", async () => {
  await using supervisor = new Supervisor(temporary());
  supervisor.start({ ...shell("absent", ""), file: "/nowhere/absent" });
  await once(supervisor.failed, "abort");
  expect(supervisor.failed.reason).toEqual(
    new Error("expected absent to run until it is closed, got spawn /nowhere/absent ENOENT"),
  );
});

/** Starts a process that supervises `program` in `folder` and then runs `script`. */
function starter(
  folder: string,
  program: Program,
  script: string,
): ChildProcessByStdio<null, Readable, null> {
  const loader = createRequire(import.meta.url).resolve("tsx");
  const whole = `
    import { Supervisor } from ${JSON.stringify(new URL("./supervisor.ts", import.meta.url).href)};
    const supervisor = new Supervisor(${JSON.stringify(folder)});
    supervisor.start(${JSON.stringify(program)});
    ${script}
  `;
  return spawn(process.execPath, ["--import", loader, "--input-type=module", "-e", whole], {
    stdio: ["ignore", "pipe", "inherit"],
  });
}

test("killing the starting process with SIGKILL leaves neither programs nor the folder", async () => {
  const folder = temporary();
  const printPid =
    'setInterval(() => supervisor.pids.size > 0 && console.log(supervisor.pids.get("orphan")), 20);';
  const process = starter(folder, polite("orphan"), printPid);
  const [line] = await once(process.stdout, "data");
  const pid = Number.parseInt(String(line), 10);
  expect(running(pid)).toBe(true);

  process.kill("SIGKILL");

  await expect.poll(() => running(pid), { timeout: 10_000 }).toBe(false);
  await expect.poll(() => existsSync(folder), { timeout: 10_000 }).toBe(false);
});

test("killing the starting process before the supervisor runs leaves no folder", async () => {
  const folder = temporary();
  await once(starter(folder, polite("unborn"), 'process.kill(process.pid, "SIGKILL");'), "exit");
  await expect.poll(() => existsSync(folder), { timeout: 10_000 }).toBe(false);
});

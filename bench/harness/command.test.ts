import { spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, test } from "vitest";

test("a program does not outlive the process that runs it", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // it listens on a port
  const endless = `require("node:net").connect(${port}, "127.0.0.1")`;
  const runner = spawn(process.execPath, [
    "--import",
    "tsx",
    "--input-type=module",
    "--eval",
    running(endless),
  ]);
  const [program] = (await once(server, "connection")) as [Socket];

  runner.kill("SIGTERM");
  await once(program.resume(), "close");
  server.close();

  expect(runner.exitCode ?? (await once(runner, "exit"))[0]).toBe(1);
});

/** A process that exits on a signal as the benches do. */
function running(script: string): string {
  const command = new URL("./command.ts", import.meta.url).href;
  return `
    process.once("SIGTERM", () => process.exit(1));
    const { runCommand } = await import(${JSON.stringify(command)});
    await runCommand([process.execPath, "--eval", ${JSON.stringify(script)}]);
  `;
}

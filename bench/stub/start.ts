import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Addresses } from "./listen.ts";
import type { Stats } from "./stub.ts";

export interface StubSizes {
  readonly pods: number;
  readonly websites: number;
}

/** A stub in a separate process, so that it can use its own core. */
export interface StubProcess extends Addresses, AsyncDisposable {
  /** Sends a `/ctl/` request: `control("stream?resource=pods&events=1000&when=open")`. */
  control(request: string): Promise<Stats>;
}

/** Starts the compiled `main.ts`. */
export async function startStub(program: string, sizes: StubSizes): Promise<StubProcess> {
  const child = spawn(process.execPath, [program, `${sizes.pods}`, `${sizes.websites}`], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const first = await Promise.race([createInterface(child.stdout)[Symbol.asyncIterator]().next(), gone]);
  if (!first?.value)
    throw new Error(`expected the stub to print its addresses, got exit code ${child.exitCode}`);
  const addresses = JSON.parse(first.value) as Addresses;
  return {
    ...addresses,
    control: async (request) => (await (await fetch(`${addresses.plain}/ctl/${request}`)).json()) as Stats,
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await gone;
    },
  };
}

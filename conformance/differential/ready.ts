import { setTimeout as sleep } from "node:timers/promises";
import type { Transport } from "../../src/transport/index.ts";
import type { JsonObject } from "./script.ts";
import type { Subject } from "./subject.ts";

/** Defines the custom kinds on a server, and waits until they can be written. */
export async function define(transport: Transport, subjects: readonly Subject[]): Promise<void> {
  for (const { definition } of subjects) if (definition) await post(transport, definition);
  for (const subject of subjects) if (subject.definition) await served(transport, subject);
}

async function post(transport: Transport, definition: JsonObject): Promise<void> {
  const { status, body } = await transport.send({
    method: "POST",
    path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(definition),
  });
  if (status !== 201) throw new Error(`expected a definition that is taken, got ${status} ${body}`);
}

/** A server may serve a kind shortly after its definition, and its schema a moment after that. */
async function served(transport: Transport, { root, plural }: Subject): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const { status } = await transport.send({ method: "GET", path: `${root}/${plural}` });
    if (status === 200) return;
    await sleep(100);
  }
  throw new Error(`expected ${plural} to be served by ${transport.server} within 10 s, got nothing`);
}

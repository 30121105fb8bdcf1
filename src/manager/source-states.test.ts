import { expect, test } from "vitest";
import { ConfigMap } from "../api/types/core/v1.ts";
import { loggerTo } from "../base/index.ts";
import { controller, external } from "../controller/index.ts";
import { Managed } from "./managed.fixture.ts";

test("/readyz?verbose shows the external sources, and a failing one does not make it unready", async () => {
  await using world = await Managed.start();
  const ports: unknown[] = [];
  const log = loggerTo(({ message, fields }) => {
    if (message === "serving health") ports.push(fields.port);
  });
  const waiting = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  const made = controller({
    name: "maps",
    for: ConfigMap,
    on: [
      external(async function* messages(signal) {
        yield "default/a";
        await waiting(signal);
      }),
      external(async function* broken() {
        yield "default/b";
        throw new Error("password: hunter2");
      }),
    ],
    reconcile: async () => {},
  });
  const running = await world.run([made], { log, health: { port: 0 } });
  await running.ready;
  await world.clock.advance(4000);
  const answer = await fetch(`http://127.0.0.1:${ports[0]}/readyz?verbose`);
  expect([
    answer.status,
    (await answer.text()).split("\n").filter((line) => line.includes("sources")),
  ]).toEqual([
    200,
    ["[+]sources ok (maps/messages running, 0 restarts; maps/broken restarting in 4 s, 3 restarts)"],
  ]);
});

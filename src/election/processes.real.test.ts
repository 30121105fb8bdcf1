import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { startCluster } from "../testing/index.ts";
import { loadConfig } from "../transport/index.ts";
import { Processes, turnsWritten } from "./processes.fixture.ts";

const loader = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
const main = fileURLToPath(new URL("./contender-main.fixture.ts", import.meta.url));

test("of three processes one is killed, one stopped past its lease, one cut off: never do two write", async () => {
  await using cluster = await startCluster({ listen: true });
  const { kubeconfig } = cluster;
  const { server } = await loadConfig({ kubeconfig });
  await using processes = new Processes(server);
  const begin = (name: string): Promise<void> =>
    processes.start((address) => [process.execPath, "--import", loader, main, kubeconfig, address, name]);
  for (const name of ["anna", "ben", "carl"]) await begin(name);

  const killed = await processes.until(() => processes.leader);
  killed.from.well = false;
  killed.from.signal("SIGKILL");
  await processes.successor(killed);
  await begin("dora");

  const stopped = await processes.until(() => processes.leader);
  stopped.from.well = false;
  stopped.from.signal("SIGSTOP");
  await processes.successor(stopped);
  stopped.from.signal("SIGCONT");
  await processes.untilTold("lost", stopped.term);
  stopped.from.well = true;

  const cutOff = await processes.until(() => processes.leader);
  cutOff.from.well = false;
  cutOff.from.cable.cut();
  await processes.successor(cutOff);
  await processes.untilTold("lost", cutOff.term);
  cutOff.from.cable.mend();
  cutOff.from.well = true;

  const asked = await processes.until(() => processes.leader);
  asked.from.terminate();
  await processes.untilTold("done", asked.term);
  await processes.successor(asked);
  await processes.close();

  const refused = processes.told.filter(({ event }) => event === "refused").map(({ term }) => term);
  expect(refused).toEqual(expect.arrayContaining([stopped.term, cutOff.term]));
  const turns = await turnsWritten(cluster.client);
  expect(turns).toEqual(expect.arrayContaining([killed, stopped, cutOff, asked].map(({ term }) => term)));
  expect(turns).toEqual([...new Set(turns)]);
}, 600_000);

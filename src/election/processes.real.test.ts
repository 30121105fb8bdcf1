import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { startCluster } from "../testing/index.ts";
import { loadConfig } from "../transport/index.ts";
import { Processes, termsWritten } from "./processes.fixture.ts";

const loader = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
const main = fileURLToPath(new URL("./contender-main.fixture.ts", import.meta.url));

test("of three processes one is killed, one is stopped past its lease and one is cut off, and writes never interleave", async () => {
  await using cluster = await startCluster({ listen: true });
  const { kubeconfig } = cluster;
  const { server } = await loadConfig({ kubeconfig });
  await using processes = new Processes(server);
  const begin = (name: string): Promise<void> =>
    processes.start((address) => [process.execPath, "--import", loader, main, kubeconfig, address, name]);
  for (const name of ["anna", "ben", "carl"]) await begin(name);

  const killed = await processes.until(() => processes.leader);
  killed.from.undisturbed = false;
  killed.from.signal("SIGKILL");
  await processes.successor(killed);
  await begin("dora");

  const stopped = await processes.until(() => processes.leader);
  stopped.from.undisturbed = false;
  stopped.from.signal("SIGSTOP");
  await processes.successor(stopped);
  stopped.from.signal("SIGCONT");
  await processes.untilReported("lost", stopped.term);
  stopped.from.undisturbed = true;

  const cutOff = await processes.until(() => processes.leader);
  cutOff.from.undisturbed = false;
  cutOff.from.cable.cut();
  await processes.successor(cutOff);
  await processes.untilReported("lost", cutOff.term);
  cutOff.from.cable.restore();
  cutOff.from.undisturbed = true;

  const terminated = await processes.until(() => processes.leader);
  terminated.from.terminate();
  await processes.untilReported("done", terminated.term);
  await processes.successor(terminated);
  await processes.close();

  const refused = processes.reports.filter(({ event }) => event === "refused").map(({ term }) => term);
  expect(refused).toEqual(expect.arrayContaining([stopped.term, cutOff.term]));
  const terms = await termsWritten(cluster.client);
  expect(terms).toEqual(
    expect.arrayContaining([killed, stopped, cutOff, terminated].map(({ term }) => term)),
  );
  expect(terms).toEqual([...new Set(terms)]);
}, 600_000);

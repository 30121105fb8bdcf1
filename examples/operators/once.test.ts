import { expect, test } from "vitest";
import { outputOf } from "../output-of.ts";

test.each([
  ["cronjob", "  no Job is active until the next minute"],
  ["memcached", "  Available is True: 1 of 2 replicas are ready"],
  ["reloader", "  the annotation has changed, which replaces the Pods"],
  ["dns", "  the provider has the address 192.0.2.1"],
  ["tenant", "  the quota of the namespace is deleted"],
])("%s shows its tour and exits, with --once", async (name, line) => {
  expect(await outputOf(new URL(`./${name}/main.ts`, import.meta.url), "--once")).toContain(line);
});

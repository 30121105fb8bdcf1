import { expect, test } from "vitest";
import type { HealthCheck } from "./path-handler.ts";
import { requestPath } from "./path-requests.fixture.ts";

const etcd: HealthCheck = { name: "etcd", healthy: () => true };
const broken: HealthCheck = { name: "etcd", healthy: () => false };
const shutdown: HealthCheck = { name: "shutdown", healthy: () => false, readiness: true };

async function healthOf(
  path: string,
  checks: readonly HealthCheck[] = [etcd],
): Promise<[number, string] | undefined> {
  const response = await requestPath(path, { context: { checks } });
  return response && [response.status, String(response.body)];
}

test.each(["/healthz", "/livez", "/readyz", "/healthz/ping", "/livez/etcd", "/livez/ping?verbose"])(
  "%s is ok if all checks pass",
  async (path) => {
    expect(await healthOf(path)).toEqual([200, "ok"]);
  },
);

test.each([
  ["/readyz?verbose", "[+]ping ok\n[+]etcd ok\nreadyz check passed\n"],
  ["/livez?verbose&exclude=etcd", "[+]ping ok\n[+]etcd excluded: ok\nlivez check passed\n"],
  [
    "/healthz?exclude=nope&exclude=nada&verbose=0",
    '[+]ping ok\n[+]etcd ok\nwarn: some health checks cannot be excluded: no matches for "nada","nope"\nhealthz check passed\n',
  ],
])("%s reports each check", async (path, text) => {
  expect(await healthOf(path)).toEqual([200, text]);
});

test("a failed check is reported without its reason, unless it is excluded", async () => {
  expect(await healthOf("/livez", [broken])).toEqual([
    500,
    "[+]ping ok\n[-]etcd failed: reason withheld\nlivez check failed\n",
  ]);
  expect(await healthOf("/livez?exclude=etcd", [broken])).toEqual([200, "ok"]);
  expect((await healthOf("/livez/etcd", [broken]))?.[0]).toBe(500);
});

test("readiness checks are part of /readyz only", async () => {
  expect([await healthOf("/livez", [shutdown]), await healthOf("/healthz", [shutdown])]).toEqual([
    [200, "ok"],
    [200, "ok"],
  ]);
  expect((await healthOf("/readyz", [shutdown]))?.[0]).toBe(500);
  expect((await healthOf("/livez/shutdown", [shutdown]))?.[0]).toBe(404);
});

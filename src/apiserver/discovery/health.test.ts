import { expect, test } from "vitest";
import type { HealthCheck } from "./path-handler.ts";
import { visit } from "./path-requests.fixture.ts";

const etcd: HealthCheck = { name: "etcd", healthy: () => true };
const broken: HealthCheck = { name: "etcd", healthy: () => false };
const shutdown: HealthCheck = { name: "shutdown", healthy: () => false, readiness: true };

async function asked(
  path: string,
  checks: readonly HealthCheck[] = [etcd],
): Promise<[number, string] | undefined> {
  const answer = await visit(path, { context: { checks } });
  return answer && [answer.status, String(answer.body)];
}

test.each(["/healthz", "/livez", "/readyz", "/healthz/ping", "/livez/etcd", "/livez/ping?verbose"])(
  "%s is ok where all is well",
  async (path) => {
    expect(await asked(path)).toEqual([200, "ok"]);
  },
);

test.each([
  ["/readyz?verbose", "[+]ping ok\n[+]etcd ok\nreadyz check passed\n"],
  ["/livez?verbose&exclude=etcd", "[+]ping ok\n[+]etcd excluded: ok\nlivez check passed\n"],
  [
    "/healthz?exclude=nope&exclude=nada&verbose=0",
    '[+]ping ok\n[+]etcd ok\nwarn: some health checks cannot be excluded: no matches for "nada","nope"\nhealthz check passed\n',
  ],
])("%s tells each check", async (path, text) => {
  expect(await asked(path)).toEqual([200, text]);
});

test("what is not well is told without the reason, unless it is excluded", async () => {
  expect(await asked("/livez", [broken])).toEqual([
    500,
    "[+]ping ok\n[-]etcd failed: reason withheld\nlivez check failed\n",
  ]);
  expect(await asked("/livez?exclude=etcd", [broken])).toEqual([200, "ok"]);
  expect((await asked("/livez/etcd", [broken]))?.[0]).toBe(500);
});

test("readiness is asked of what only says whether requests are welcome, and life is not", async () => {
  expect([await asked("/livez", [shutdown]), await asked("/healthz", [shutdown])]).toEqual([
    [200, "ok"],
    [200, "ok"],
  ]);
  expect((await asked("/readyz", [shutdown]))?.[0]).toBe(500);
  expect((await asked("/livez/shutdown", [shutdown]))?.[0]).toBe(404);
});

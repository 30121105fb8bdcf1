import { expect, test } from "vitest";
import { prometheus, VirtualClock } from "../base/index.ts";
import { text } from "./http-server.ts";
import { type MetricsServerOptions, metricsServer } from "./metrics-server.ts";

const nothing = { text: async () => "", contentType: "text/plain" };

/** What paths of a server answer: status and text. */
async function asked(
  paths: readonly string[],
  options: Partial<MetricsServerOptions>,
): Promise<(readonly [number, string])[]> {
  await using server = metricsServer({ port: 0, host: "127.0.0.1", metrics: nothing, ...options });
  const url = `http://127.0.0.1:${await server.listen()}`;
  return await Promise.all(
    paths.map(async (path) => {
      const answer = await fetch(`${url}${path}`);
      return [answer.status, await answer.text()] as const;
    }),
  );
}

test("what is measured is served for Prometheus, as it is now", async () => {
  const metrics = prometheus();
  const soups = metrics.counter({ name: "soups_total", help: "Soups served", labels: ["kind"] });
  await using server = metricsServer({ port: 0, host: "127.0.0.1", metrics });
  const url = `http://127.0.0.1:${await server.listen()}/metrics`;
  soups.add({ kind: "leek" }, 3);
  const answer = await fetch(url);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([
    200,
    "text/plain; version=0.0.4; charset=utf-8",
  ]);
  expect(await answer.text()).toBe(
    '# HELP soups_total Soups served\n# TYPE soups_total counter\nsoups_total{kind="leek"} 3\n',
  );
});

test("other paths return 404, including profiles unless they are enabled", async () => {
  const notThere = [404, "404 page not found\n"];
  expect(await asked(["/", "/metrics/", "/debug/pprof/heap", "/debug/pprof/profile"], {})).toEqual([
    notThere,
    notThere,
    notThere,
    notThere,
  ]);
  expect(await asked(["/debug/pprof/goroutine"], { profiling: true })).toEqual([notThere]);
});

test("metrics that cannot be had are an error that says why", async () => {
  const metrics = { ...nothing, text: () => Promise.reject(new Error("a gauge broke")) };
  expect(await asked(["/metrics"], { metrics })).toEqual([[500, "expected metrics, got: a gauge broke\n"]]);
});

test("a guard stands before every page", async () => {
  const guard: MetricsServerOptions["guard"] = async ({ headers }) =>
    headers.authorization === "Bearer open" ? undefined : text(401, "Unauthorized\n");
  const paths = ["/metrics", "/debug/pprof/heap", "/nowhere"];
  const refused = [401, "Unauthorized\n"];
  expect(await asked(paths, { guard, profiling: true })).toEqual([refused, refused, refused]);
  await using server = metricsServer({ port: 0, host: "127.0.0.1", metrics: nothing, guard });
  const url = `http://127.0.0.1:${await server.listen()}/metrics`;
  const answer = await fetch(url, { headers: { authorization: "Bearer open" } });
  expect(answer.status).toBe(200);
});

test("a profile that is under way when the server closes is handed over as it is", async () => {
  const clock = new VirtualClock();
  let begun = (): void => {};
  const started = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const guard = async (): Promise<undefined> => {
    begun();
    return undefined;
  };
  await using server = metricsServer({
    port: 0,
    host: "127.0.0.1",
    metrics: nothing,
    guard,
    profiling: true,
    clock,
  });
  const answer = fetch(`http://127.0.0.1:${await server.listen()}/debug/pprof/profile?seconds=60`);
  await started;
  await server.close();
  const response = await answer;
  expect([response.status, response.headers.get("content-disposition")]).toEqual([
    200,
    'attachment; filename="profile.cpuprofile"',
  ]);
  expect(Object.keys((await response.json()) as object)).toContain("samples");
});

test.each([undefined, "0.0.0.0"])("profiles are not served on %s for everybody to see", (host) => {
  expect(() => metricsServer({ port: 0, host, metrics: nothing, profiling: true })).toThrow(
    "expected profiles to be guarded or served on loopback only",
  );
});

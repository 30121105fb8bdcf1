import { expect, test } from "vitest";
import { prometheus, VirtualClock } from "../../base/index.ts";
import { text } from "./http-server.ts";
import { type MetricsServerOptions, metricsServer } from "./metrics-server.ts";

const nothing = { text: async () => "", contentType: "text/plain" };

/** Requests paths of a server. Returns the status and text of each. */
async function fetched(
  paths: readonly string[],
  options: Partial<MetricsServerOptions>,
): Promise<(readonly [number, string])[]> {
  await using server = metricsServer({ port: 0, host: "127.0.0.1", metrics: nothing, ...options });
  const url = `http://127.0.0.1:${await server.listen()}`;
  return await Promise.all(
    paths.map(async (path) => {
      const response = await fetch(`${url}${path}`);
      return [response.status, await response.text()] as const;
    }),
  );
}

test("current metrics are served in the text format of Prometheus", async () => {
  const metrics = prometheus();
  const soups = metrics.counter({ name: "soups_total", help: "Soups served", labels: ["kind"] });
  await using server = metricsServer({ port: 0, host: "127.0.0.1", metrics, process: false });
  const url = `http://127.0.0.1:${await server.listen()}/metrics`;
  soups.add({ kind: "leek" }, 3);
  const response = await fetch(url);
  expect([response.status, response.headers.get("content-type")]).toEqual([
    200,
    "text/plain; version=0.0.4; charset=utf-8",
  ]);
  expect(await response.text()).toBe(
    '# HELP soups_total Soups served\n# TYPE soups_total counter\nsoups_total{kind="leek"} 3\n',
  );
});

test("metrics of the process are served by default", async () => {
  const [[status, body] = []] = await fetched(["/metrics"], { metrics: prometheus() });
  expect(status).toBe(200);
  expect(body).toMatch(/^process_cpu_seconds_total \S+$/m);
});

test("other paths return 404, including profiles unless they are enabled", async () => {
  const notFound = [404, "404 page not found\n"];
  expect(await fetched(["/", "/metrics/", "/debug/pprof/heap", "/debug/pprof/profile"], {})).toEqual([
    notFound,
    notFound,
    notFound,
    notFound,
  ]);
  expect(await fetched(["/debug/pprof/goroutine"], { profiling: true })).toEqual([notFound]);
});

test("metrics that cannot be collected give 500 with the reason", async () => {
  const metrics = { ...nothing, text: () => Promise.reject(new Error("a gauge broke")) };
  expect(await fetched(["/metrics"], { metrics })).toEqual([[500, "expected metrics, got: a gauge broke\n"]]);
});

test("the guard protects every path", async () => {
  const guard: MetricsServerOptions["guard"] = async ({ headers }) =>
    headers.authorization === "Bearer open" ? undefined : text(401, "Unauthorized\n");
  const paths = ["/metrics", "/debug/pprof/heap", "/nowhere"];
  const refused = [401, "Unauthorized\n"];
  expect(await fetched(paths, { guard, profiling: true })).toEqual([refused, refused, refused]);
  await using server = metricsServer({ port: 0, host: "127.0.0.1", metrics: nothing, guard });
  const url = `http://127.0.0.1:${await server.listen()}/metrics`;
  const response = await fetch(url, { headers: { authorization: "Bearer open" } });
  expect(response.status).toBe(200);
});

test("a profile in progress ends early when the server closes, and is sent", async () => {
  const clock = new VirtualClock();
  let start = (): void => {};
  const started = new Promise<void>((resolve) => {
    start = resolve;
  });
  const guard = async (): Promise<undefined> => {
    start();
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
  const pending = fetch(`http://127.0.0.1:${await server.listen()}/debug/pprof/profile?seconds=60`);
  await started;
  await server.close();
  const response = await pending;
  expect([response.status, response.headers.get("content-disposition")]).toEqual([
    200,
    'attachment; filename="profile.cpuprofile"',
  ]);
  expect(Object.keys((await response.json()) as object)).toContain("samples");
});

test.each([undefined, "0.0.0.0"])("profiles on %s need a guard", (host) => {
  expect(() => metricsServer({ port: 0, host, metrics: nothing, profiling: true })).toThrow(
    "expected profiles to be guarded or served on loopback only",
  );
});

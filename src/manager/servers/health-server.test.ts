import { expect, test } from "vitest";
import { type LogEntry, loggerTo, VirtualClock } from "../../base/index.ts";
import { type HealthCheck, type HealthServerOptions, healthServer } from "./health-server.ts";

const fine = (name: string): HealthCheck => ({ name, check() {} });
const broken = (name: string): HealthCheck => ({
  name,
  check: () => Promise.reject(new Error(`${name} is broken`)),
});

/** Requests a path of a server with these checks. Returns status and text. */
async function fetched(
  path: string,
  options: Partial<HealthServerOptions>,
): Promise<readonly [number, string]> {
  await using server = healthServer({ port: 0, host: "127.0.0.1", ...options });
  const response = await fetch(`http://127.0.0.1:${await server.listen()}${path}`);
  expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  return [response.status, await response.text()];
}

test.each([
  ["checks that all pass are ok", "/readyz", [fine("b"), fine("a")], 200, "ok"],
  ["a path may end with a slash", "/readyz/", [fine("a")], 200, "ok"],
  [
    "verbose lists all checks in order",
    "/readyz?verbose",
    [fine("b"), fine("a")],
    200,
    "[+]a ok\n[+]b ok\nhealthz check passed\n",
  ],
  [
    "a note is shown after the result, in the verbose form only",
    "/readyz?verbose",
    [
      { ...fine("b"), note: () => "3 restarts" },
      { ...broken("a"), note: () => "1 restart" },
      { ...fine("c"), note: () => "" },
    ],
    500,
    "[-]a failed: reason withheld (1 restart)\n[+]b ok (3 restarts)\n[+]c ok\nhealthz check failed\n",
  ],
  [
    "a note that throws fails no check",
    "/readyz?verbose",
    [{ ...fine("a"), note: () => JSON.parse("{") }],
    200,
    expect.stringMatching(/^\[\+\]a ok \(note failed: .+\)\nhealthz check passed\n$/),
  ],
  [
    "a failed check is shown without its reason",
    "/readyz",
    [fine("b"), broken("a")],
    500,
    "[-]a failed: reason withheld\n[+]b ok\nhealthz check failed\n",
  ],
  ["an excluded check does not count", "/readyz?exclude=a", [fine("b"), broken("a")], 200, "ok"],
  [
    "an excluded check is shown as excluded",
    "/readyz?verbose=1&exclude=a&exclude=c",
    [fine("b"), broken("a"), broken("c")],
    200,
    "[+]a excluded: ok\n[+]b ok\n[+]c excluded: ok\nhealthz check passed\n",
  ],
  [
    "an unknown excluded check is reported",
    "/readyz?verbose&exclude=y&exclude=x",
    [fine("a")],
    200,
    '[+]a ok\nwarn: some health checks cannot be excluded: no matches for "x","y"\nhealthz check passed\n',
  ],
  ["a page without checks has a ping", "/readyz?verbose", [], 200, "[+]ping ok\nhealthz check passed\n"],
  ["the ping has its path", "/readyz/ping", [], 200, "ok"],
  ["one check has its own path", "/readyz/a", [fine("a"), broken("b")], 200, "ok"],
  [
    "the path of a failed check shows its reason",
    "/readyz/b",
    [fine("a"), broken("b")],
    500,
    "internal server error: b is broken\n",
  ],
  ["a name may contain spaces and slashes", "/readyz/v1%20Pod/a", [fine("v1 Pod/a")], 200, "ok"],
  ["an unknown check is not found", "/readyz/c", [fine("a")], 404, "404 page not found\n"],
  ["an invalid escape is not found", "/readyz/%E0", [fine("a")], 404, "404 page not found\n"],
  ["a page that is not configured is not found", "/healthz", [fine("a")], 404, "404 page not found\n"],
  ["another path is not found", "/", [fine("a")], 404, "404 page not found\n"],
])("%s: %s", async (...[, path, readyz, status, body]) => {
  expect(await fetched(path, { readyz })).toEqual([status, body]);
});

test("both pages have their own checks, which run for each request", async () => {
  let ready = false;
  const caches: HealthCheck = {
    name: "caches",
    check() {
      if (!ready) throw new Error("not synced");
    },
  };
  await using server = healthServer({ port: 0, host: "127.0.0.1", healthz: [], readyz: [caches] });
  const url = `http://127.0.0.1:${await server.listen()}`;
  const statuses = async (): Promise<number[]> =>
    Promise.all(["healthz", "readyz"].map(async (page) => (await fetch(`${url}/${page}`)).status));
  expect(await statuses()).toEqual([200, 500]);
  ready = true;
  expect(await statuses()).toEqual([200, 200]);
});

test("the reason of a failed check is logged", async () => {
  const logged: LogEntry[] = [];
  await fetched("/healthz", { healthz: [broken("disk")], log: loggerTo((entry) => logged.push(entry)) });
  const fields = { page: "healthz", check: "disk", error: "disk is broken" };
  expect(logged).toEqual([{ level: "info", message: "health check failed", fields }]);
});

test("a check that does not end fails after ten seconds", async () => {
  const clock = new VirtualClock();
  let start = (): void => {};
  const running = new Promise<void>((resolve) => {
    start = resolve;
  });
  const stuck: HealthCheck = {
    name: "stuck",
    check() {
      start();
      return new Promise(() => {});
    },
  };
  const response = fetched("/readyz/stuck", { readyz: [stuck], clock });
  await running;
  await clock.advance(10_000);
  expect(await response).toEqual([
    500,
    "internal server error: expected an end of health check stuck within 10000 ms, got none\n",
  ]);
});

test("a check needs a name that no other has", () => {
  const named = (...names: readonly string[]) => healthServer({ port: 0, readyz: names.map(fine) });
  expect(() => named("a", "a")).toThrow('expected each check of readyz to have its own name, got two "a"');
  expect(() => named("")).toThrow("expected a name for each check of readyz, got an empty string");
});

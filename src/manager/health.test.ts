import { expect, test } from "vitest";
import { type LogEntry, loggerTo, VirtualClock } from "../base/index.ts";
import { type HealthCheck, type HealthServerOptions, healthServer } from "./health.ts";

const fine = (name: string): HealthCheck => ({ name, check() {} });
const broken = (name: string): HealthCheck => ({
  name,
  check: () => Promise.reject(new Error(`${name} is broken`)),
});

/** What a path of these checks answers: status and text. */
async function asked(
  path: string,
  options: Partial<HealthServerOptions>,
): Promise<readonly [number, string]> {
  await using server = healthServer({ port: 0, host: "127.0.0.1", ...options });
  const answer = await fetch(`http://127.0.0.1:${await server.listen()}${path}`);
  expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  return [answer.status, await answer.text()];
}

test.each([
  ["all that pass is ok", "/readyz", [fine("b"), fine("a")], 200, "ok"],
  ["with a slash too", "/readyz/", [fine("a")], 200, "ok"],
  [
    "verbose lists all checks in order",
    "/readyz?verbose",
    [fine("b"), fine("a")],
    200,
    "[+]a ok\n[+]b ok\nhealthz check passed\n",
  ],
  [
    "a note is shown after the result, in the long form only",
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
  ["what is left out does not count", "/readyz?exclude=a", [fine("b"), broken("a")], 200, "ok"],
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
  ["no check is a ping", "/readyz?verbose", [], 200, "[+]ping ok\nhealthz check passed\n"],
  ["the ping has its path", "/readyz/ping", [], 200, "ok"],
  ["one check alone", "/readyz/a", [fine("a"), broken("b")], 200, "ok"],
  [
    "one that fails, with its reason",
    "/readyz/b",
    [fine("a"), broken("b")],
    500,
    "internal server error: b is broken\n",
  ],
  ["a name with signs in it", "/readyz/v1%20Pod/a", [fine("v1 Pod/a")], 200, "ok"],
  ["a check that is not there", "/readyz/c", [fine("a")], 404, "404 page not found\n"],
  ["a name that cannot be read", "/readyz/%E0", [fine("a")], 404, "404 page not found\n"],
  ["a page without checks of its own", "/healthz", [fine("a")], 404, "404 page not found\n"],
  ["another page", "/", [fine("a")], 404, "404 page not found\n"],
])("%s: %s", async (...[, path, readyz, status, body]) => {
  expect(await asked(path, { readyz })).toEqual([status, body]);
});

test("both pages have their own checks, which run for each request", async () => {
  let ready = false;
  const caches: HealthCheck = {
    name: "caches",
    check() {
      if (!ready) throw new Error("not filled");
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

test("why a check failed is logged", async () => {
  const logged: LogEntry[] = [];
  await asked("/healthz", { healthz: [broken("disk")], log: loggerTo((entry) => logged.push(entry)) });
  const fields = { page: "healthz", check: "disk", error: "disk is broken" };
  expect(logged).toEqual([{ level: "info", message: "health check failed", fields }]);
});

test("a check that does not end has failed", async () => {
  const clock = new VirtualClock();
  let begun = (): void => {};
  const running = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const stuck: HealthCheck = {
    name: "stuck",
    check() {
      begun();
      return new Promise(() => {});
    },
  };
  const answer = asked("/readyz/stuck", { readyz: [stuck], clock });
  await running;
  await clock.advance(10_000);
  expect(await answer).toEqual([
    500,
    "internal server error: expected an end of health check stuck within 10000 ms, got none\n",
  ]);
});

test("checks need names, each its own", () => {
  const named = (...names: readonly string[]) => healthServer({ port: 0, readyz: names.map(fine) });
  expect(() => named("a", "a")).toThrow('expected each check of readyz to have its own name, got two "a"');
  expect(() => named("")).toThrow("expected a name for each check of readyz, got an empty string");
});

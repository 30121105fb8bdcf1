import { expect, test } from "vitest";
import { deferred, VirtualClock } from "../base/index.ts";
import type { Converter } from "./conversion-review.ts";
import { timeoutOf } from "./http-exchange.ts";
import { rawWebhook } from "./raw-webhook.ts";
import { Served } from "./served.fixture.ts";
import { reviewText } from "./website.fixture.ts";

const allowAll = rawWebhook({
  type: "validating",
  name: "all.example.dev",
  path: "/all",
  rules: [{ operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*"] }],
  admit: () => {},
});
const { hooks } = allowAll;

/** A converter that only sets the version, unless `convert` is given. */
function converting(convert?: Converter["convert"]): Converter {
  return {
    group: "example.dev",
    kind: "Website",
    storageVersion: "v1",
    convert: convert ?? ((object, version) => ({ ...object, apiVersion: `example.dev/${version}` })),
  };
}

/** Returns a ConversionReview to v2 of objects with these specs in JSON. */
function conversionText(...specs: readonly string[]): string {
  const object = {
    apiVersion: "example.dev/v1",
    kind: "Website",
    metadata: { name: "docs" },
    spec: "<spec>",
  };
  const objects = specs.map((spec) => JSON.stringify(object).replace('"<spec>"', spec)).join();
  const request = `{"uid":"1","desiredAPIVersion":"example.dev/v2","objects":[${objects}]}`;
  return `{"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview","request":${request}}`;
}

function failure(code: number, message: unknown): object {
  return {
    status: code,
    body: { apiVersion: "v1", kind: "Status", metadata: {}, status: "Failure", message, code },
  };
}

test("a review with very many levels is an error, and the server goes on", async () => {
  await using served = await Served.start({ converters: [converting()], hooks });
  const deep = "[".repeat(100_000) + "]".repeat(100_000);
  expect(await served.post("/convert", conversionText(deep))).toEqual(
    failure(500, "expected a response that JSON can express, got Maximum call stack size exceeded"),
  );
  expect(await served.post("/all", reviewText())).toMatchObject({ status: 200 });
});

test("a conversion to what JSON cannot express is an error, and the server goes on", async () => {
  const convert: Converter["convert"] = (object, version) =>
    Object.assign(object, { apiVersion: `example.dev/${version}`, spec: 5n });
  await using served = await Served.start({ converters: [converting(convert)], hooks });
  expect(await served.post("/convert", conversionText("{}"))).toEqual(
    failure(500, "expected a response that JSON can express, got Do not know how to serialize a BigInt"),
  );
  expect(served.logged).toEqual([
    expect.objectContaining({ level: "warn", message: "webhook request refused" }),
  ]);
  expect(await served.post("/all", reviewText())).toMatchObject({ status: 200 });
});

test("a conversion that never ends fails with 504 in the time of the API server", async () => {
  const clock = new VirtualClock();
  const started = deferred<void>();
  const converter = converting(() => {
    started.resolve();
    return new Promise(() => {});
  });
  await using served = await Served.start({ converters: [converter], clock });
  const answer = served.post("/convert?timeout=3s", conversionText("{}"));
  await started.promise;
  await clock.advance(3000);
  expect(await answer).toEqual(
    failure(504, "expected the converter to return within 3000 ms, got no result"),
  );
  expect(served.logged).toEqual([
    expect.objectContaining({ level: "error", message: "conversion timed out" }),
    expect.objectContaining({ level: "debug", message: "webhook request refused" }),
  ]);
});

test("a conversion stops before the next object when its time is over", async () => {
  const clock = new VirtualClock();
  const [started, finish] = [deferred<void>(), deferred<void>()];
  let calls = 0;
  const converter = converting(async (object) => {
    calls += 1;
    started.resolve();
    await finish.promise;
    return object;
  });
  await using served = await Served.start({ converters: [converter], clock });
  const answer = served.post("/convert?timeout=3s", conversionText("{}", "{}"));
  await started.promise;
  await clock.advance(3000);
  finish.resolve();
  expect(await answer).toMatchObject({ status: 504 });
  expect(calls).toBe(1);
});

test("a converter that changes the kind of its argument is refused", async () => {
  const convert: Converter["convert"] = (object, version) =>
    Object.assign(object, { apiVersion: `example.dev/${version}`, kind: "Other" });
  await using served = await Served.start({ converters: [converting(convert)] });
  const message =
    "Other docs: expected the converter to return example.dev/v2 Website, got example.dev/v2 Other";
  expect(await served.post("/convert", conversionText("{}"))).toMatchObject({
    body: { response: { result: { status: "Failure", message } } },
  });
});

test("the response has the uid of the review, also if a handler changes its request", async () => {
  const { hooks: changing } = rawWebhook({
    ...{ type: "validating", name: "uid.example.dev", path: "/uid" },
    rules: [{ operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*"] }],
    admit: (request) => void Object.assign(request, { uid: "other", object: undefined }),
  });
  await using served = await Served.start({ hooks: changing });
  expect(await served.post("/uid")).toMatchObject({ body: { response: { uid: "705ab4f5", allowed: true } } });
});

test("a timeout in the query is read in linear time", () => {
  const digits = "1".repeat(1_000_000);
  expect(timeoutOf(new URLSearchParams({ timeout: digits }))).toBeUndefined();
  expect(timeoutOf(new URLSearchParams({ timeout: `${digits}s` }))).toBe(Number.POSITIVE_INFINITY);
  expect(timeoutOf(new URLSearchParams({ timeout: "1m0.5s20ms" }))).toBe(60_520);
  expect(timeoutOf(new URLSearchParams({ timeout: "1s2" }))).toBeUndefined();
});

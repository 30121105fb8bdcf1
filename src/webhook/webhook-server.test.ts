import { once } from "node:events";
import { Agent } from "node:https";
import { connect as connectTcp } from "node:net";
import { connect } from "node:tls";
import { expect, test } from "vitest";
import { deferred, VirtualClock } from "../base/index.ts";
import { createAuthority } from "../certificates/index.ts";
import { Listeners } from "../serving/index.ts";
import type { Converter } from "./conversion-review.ts";
import { Denied } from "./denied.ts";
import { Served } from "./served.fixture.ts";
import { webhook } from "./webhook.ts";
import { WebhookServer } from "./webhook-server.ts";
import { reviewText, Website } from "./website.fixture.ts";

const path = "/validate-example-dev-v1-website";
const { hooks } = webhook(Website, {
  validate({ object }) {
    if (object.spec.image === "boom") throw new TypeError("boom");
    if (object.spec.image === "bad") throw new Denied("is bad", { field: "spec.image" });
  },
});

const allowed = {
  status: 200,
  body: {
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    response: { uid: "705ab4f5", allowed: true, status: { code: 200 } },
  },
};

function withImage(image: string): string {
  return reviewText().replace("nginx:1.27", image);
}

test("reviews are answered over HTTP/1.1 and HTTP/2", async () => {
  await using served = await Served.start({ hooks });
  expect(await served.post(path)).toEqual(allowed);
  expect(await served.post2(path)).toEqual(allowed);
});

test("a connection serves many requests", async () => {
  await using served = await Served.start({ hooks });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let count = 0; count < 20; count += 1)
    expect(await served.post(path, undefined, { agent })).toEqual(allowed);
  agent.destroy();
});

test("the query's timeout is the time of the handler", async () => {
  const clock = new VirtualClock();
  const { hooks: slow } = webhook(Website, { validate: () => new Promise(() => {}) });
  await using served = await Served.start({ hooks: slow, clock });
  const answer = served.post(`${path}?timeout=3s`);
  await expect.poll(() => clock.nextMs).toBe(3000);
  await clock.advance(3000);
  expect(await answer).toMatchObject({
    status: 504,
    body: {
      kind: "Status",
      code: 504,
      message: "expected the handler to return within 3000 ms, got no result",
    },
  });
});

test("conversion reviews are answered at /convert, and only if there is a converter", async () => {
  const converter: Converter = {
    group: "example.dev",
    kind: "Website",
    storageVersion: "v1",
    convert: (object, version) => ({ ...object, apiVersion: `example.dev/${version}` }),
  };
  const request = { uid: "1", desiredAPIVersion: "example.dev/v1", objects: [] };
  const review = { apiVersion: "apiextensions.k8s.io/v1", kind: "ConversionReview", request };
  await using served = await Served.start({ converters: [converter] });
  expect(await served.post("/convert", JSON.stringify(review))).toMatchObject({
    status: 200,
    body: { kind: "ConversionReview", response: { uid: "1", result: { status: "Success" } } },
  });
  await using other = await Served.start({ hooks });
  expect(await other.post("/convert", JSON.stringify(review))).toMatchObject({ status: 404 });
});

test("bad requests get an HTTP error with a Status, and the server goes on", async () => {
  await using served = await Served.start({ hooks, maxBodyBytes: 10_000 });
  const codes = [
    await served.post("/elsewhere"),
    await served.post(path, "", { method: "GET" }),
    await served.post(path, reviewText(), { headers: { "content-type": "text/plain" } }),
    await served.post(path, "{"),
    await served.post(path, ""),
    await served.post(path, reviewText({ uid: "" })),
    await served.post(path, reviewText({ padding: "x".repeat(10_000) })),
  ];
  expect(codes).toMatchObject([
    { status: 404, body: { message: "expected the path of a webhook, got /elsewhere" } },
    { status: 405, body: { message: "expected POST, got GET" } },
    { status: 415, body: { message: "expected the content type application/json, got text/plain" } },
    { status: 400 },
    { status: 400, body: { message: "expected an AdmissionReview in JSON, got an empty body" } },
    { status: 400, body: { message: 'expected a text in request.uid, got ""' } },
    { status: 413, body: { message: "expected a body of at most 10000 bytes, got more" } },
  ]);
  expect(await served.post(path)).toEqual(allowed);
});

test("a body that never ends is refused when it is too large", async () => {
  await using served = await Served.start({ hooks, maxBodyBytes: 10_000 });
  const { port, authority } = served;
  const sender = connect({ port, host: "127.0.0.1", servername: "localhost", ca: authority.cert });
  sender.on("error", () => {}); // the server closes the connection while more is sent
  const type = "content-type: application/json\r\ntransfer-encoding: chunked";
  sender.write(`POST ${path} HTTP/1.1\r\nhost: localhost\r\n${type}\r\n\r\n`);
  const chunk = `1000\r\n${"x".repeat(0x1000)}\r\n`;
  const send = (): void => {
    if (sender.writable) sender.write(chunk, () => setImmediate(send));
  };
  send();
  const [first] = (await once(sender, "data")) as [Buffer];
  expect(first.toString()).toMatch(/^HTTP\/1.1 413 /);
  await once(sender, "close");
  expect(await served.post(path)).toEqual(allowed);
});

test("a handler that throws is a denial with 500, and the server goes on", async () => {
  await using served = await Served.start({ hooks });
  expect(await served.post(path, withImage("boom"))).toMatchObject({
    status: 200,
    body: { response: { allowed: false, status: { code: 500, message: "boom" } } },
  });
  expect(await served.post(path)).toEqual(allowed);
});

test("metrics have controller-runtime's names, with the path as label", async () => {
  await using served = await Served.start({ hooks });
  await served.post(path);
  await served.post(path, withImage("boom"));
  await served.post(path, "{");
  await expect.poll(() => served.metrics.text()).toContain(`requests_total{webhook="${path}",code="400"} 1`);
  const lines = (await served.metrics.text())
    .split("\n")
    .filter((line) => !line.startsWith("#") && !/bucket|_sum/.test(line));
  expect(lines.filter((line) => line.includes("webhook"))).toEqual([
    `controller_runtime_webhook_requests_total{webhook="${path}",code="200"} 2`,
    `controller_runtime_webhook_requests_total{webhook="${path}",code="500"} 0`,
    `controller_runtime_webhook_requests_total{webhook="${path}",code="400"} 1`,
    `controller_runtime_webhook_requests_in_flight{webhook="${path}"} 0`,
    `controller_runtime_webhook_latency_seconds_count{webhook="${path}"} 3`,
    "controller_runtime_webhook_panics_total 1",
    "controller_runtime_conversion_webhook_panics_total 0",
  ]);
});

test("client certificates are required if a CA for them is given", async () => {
  const clients = createAuthority("clients");
  await using served = await Served.start({ hooks, clientCas: new ChangingCas(clients.cert) });
  expect(await served.post(path)).toMatch(refused);
  const client = clients.client({ commonName: "kube-apiserver" });
  expect(await served.post(path, undefined, client)).toEqual(allowed);
});

test("new CAs of client certificates are used for new connections", async () => {
  const [former, renewed] = [createAuthority("former"), createAuthority("renewed")];
  const clientCas = new ChangingCas(former.cert);
  await using served = await Served.start({ hooks, clientCas });
  const subject = { commonName: "kube-apiserver" };
  const [before, after] = [former.client(subject), renewed.client(subject)];
  expect(await served.post(path, undefined, after)).toMatch(refused);
  clientCas.change(renewed.cert);
  expect(await served.post(path, undefined, after)).toEqual(allowed);
  expect([await served.post(path, undefined, before), await served.post(path)]).toEqual([
    expect.stringMatching(refused),
    expect.stringMatching(refused),
  ]);
});

/** CAs of client certificates that a test changes. */
class ChangingCas {
  readonly #listeners = new Listeners();
  current: string;

  constructor(current: string) {
    this.current = current;
  }

  change(current: string): void {
    this.current = current;
    this.#listeners.notify();
  }

  onChange(listener: () => void): Disposable {
    return this.#listeners.add(listener);
  }
}

const refused = /CERTIFICATE_REQUIRED|ECONNRESET|BAD_CERTIFICATE|UNKNOWN_CA|EPIPE/;

test("a port in use is an error that says what to do", async () => {
  await using served = await Served.start({ hooks });
  await using other = new Served({ hooks, port: served.port });
  await expect(other.server.listen()).rejects.toThrow(
    new RegExp(`^expected to listen on port ${served.port} of 127.0.0.1 for webhooks, got EADDRINUSE`),
  );
});

test("two hooks with one path are an error", () => {
  expect(() => new Served({ hooks: [...hooks, ...hooks] })).toThrow("to have its own path, got two");
  expect(WebhookServer).toBeDefined();
});

test("close waits for requests in flight, and refuses new connections", async () => {
  const started = deferred<void>();
  const finish = deferred<void>();
  const { hooks: slow } = webhook(Website, {
    async validate() {
      started.resolve();
      await finish.promise;
    },
  });
  await using served = await Served.start({ hooks: slow });
  const answer = served.post(path);
  await started.promise;
  const closed = served.server.close();
  expect([served.server.listening, await served.post(path)]).toEqual([false, "ECONNREFUSED"]);
  finish.resolve();
  expect(await answer).toEqual(allowed);
  await closed;
});

test("close ends idle connections, those before their TLS handshake, and those of HTTP/2", async () => {
  await using served = await Served.start({ hooks, clock: new VirtualClock() }); // its time of grace never ends
  const agent = new Agent({ keepAlive: true });
  await served.post(path, undefined, { agent });
  await served.post2(path);
  const bare = connectTcp(served.port, "127.0.0.1");
  const idle = connect({
    port: served.port,
    host: "127.0.0.1",
    servername: "localhost",
    ca: served.authority.cert,
  });
  await Promise.all([once(bare, "connect"), once(idle, "secureConnect")]);
  bare.on("error", () => {});
  idle.on("error", () => {});
  await served.server.close();
  agent.destroy();
});

test("a handler that does not end in the time of grace is aborted, and close resolves", async () => {
  const clock = new VirtualClock();
  const started = deferred<AbortSignal>();
  const { hooks: slow } = webhook(Website, {
    validate({ signal }) {
      started.resolve(signal);
      return new Promise(() => {});
    },
  });
  await using served = await Served.start({ hooks: slow, clock, graceMs: 2000 });
  const answer = served.post(path);
  const signal = await started.promise;
  const closed = served.server.close();
  await clock.advance(2000);
  expect([signal.aborted, await answer]).toMatchObject([true, { status: 503 }]);
  await closed;
  expect(clock.timers).toBe(0);
});

test("a client that disconnects aborts the handler's signal", async () => {
  const started = deferred<AbortSignal>();
  const { hooks: slow } = webhook(Website, {
    validate({ signal }) {
      started.resolve(signal);
      return new Promise(() => {});
    },
  });
  await using served = await Served.start({ hooks: slow, clock: new VirtualClock() });
  const gone = new AbortController();
  const answer = served.post(path, undefined, { signal: gone.signal });
  const signal = await started.promise;
  const aborted = once(signal, "abort");
  gone.abort();
  await aborted;
  expect(await answer).toBe("ABORT_ERR");
});

test("a client that disconnects before it has read its response does not abort the next request", async () => {
  const started = deferred<void>();
  const finish = deferred<void>();
  const { hooks: slow } = webhook(Website, {
    async validate({ object, warn }) {
      if (object.spec.image === "large") return warn("x".repeat(20_000_000)); // more than socket buffers hold
      started.resolve();
      await finish.promise;
    },
  });
  await using served = await Served.start({ hooks: slow });
  const { port, authority } = served;
  const gone = connect({ port, host: "127.0.0.1", servername: "localhost", ca: authority.cert });
  const body = withImage("large");
  const type = "content-type: application/json";
  gone.write(
    `POST ${path} HTTP/1.1\r\nhost: localhost\r\n${type}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  await once(gone, "readable"); // the response has begun
  const answer = served.post(path);
  await started.promise;
  gone.destroy();
  await expect.poll(() => served.metrics.text()).toContain(`requests_in_flight{webhook="${path}"} 1`);
  finish.resolve();
  expect(await answer).toEqual(allowed);
});

test("a body that stops, and a connection that sends nothing, are closed in time", async () => {
  const clock = new VirtualClock();
  await using served = await Served.start({ hooks, clock });
  const idle = connect({
    port: served.port,
    host: "127.0.0.1",
    servername: "localhost",
    ca: served.authority.cert,
  });
  const half = connect({
    port: served.port,
    host: "127.0.0.1",
    servername: "localhost",
    ca: served.authority.cert,
  });
  await Promise.all([once(idle, "secureConnect"), once(half, "secureConnect")]);
  half.write(
    `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{`,
  );
  await expect.poll(() => clock.nextMs).toBe(10_000);
  const [chunk] = await Promise.all([once(half, "data"), clock.advance(10_000)]);
  expect(String(chunk)).toMatch(/^HTTP\/1.1 408 /);
  const closed = once(idle, "close");
  await clock.advance(22_000);
  await closed;
  half.destroy();
});

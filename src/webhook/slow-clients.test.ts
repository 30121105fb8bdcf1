import { once } from "node:events";
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from "node:http2";
import { text as textOf } from "node:stream/consumers";
import { connect as connectTls } from "node:tls";
import { expect, test } from "vitest";
import { deferred, VirtualClock } from "../base/index.ts";
import { Served } from "./served.fixture.ts";
import { webhook } from "./webhook.ts";
import { reviewText, Website } from "./website.fixture.ts";

const path = "/validate-example-dev-v1-website";
const { hooks } = webhook(Website, { validate() {} });
const type = { "content-type": "application/json" };

function http2To({ port, authority }: Served): ClientHttp2Session {
  return connect(`https://localhost:${port}`, { ca: authority.cert });
}

function post(session: ClientHttp2Session, to: string = path): ClientHttp2Stream {
  return session.request({ ":method": "POST", ":path": to, ...type });
}

test.each([
  { code: 404, to: "/elsewhere" },
  { code: 413, to: path },
])("a request that is refused with $code before its body has ended is over", async ({ code, to }) => {
  await using served = await Served.start({ hooks, clock: new VirtualClock(), maxBodyBytes: 10 });
  const session = http2To(served);
  const stream = post(session, to);
  stream.write(reviewText());
  let body = "";
  stream.on("data", (chunk) => (body += String(chunk)));
  const [headers] = await once(stream, "response");
  await once(stream, "close");
  expect([headers[":status"], JSON.parse(body), stream.rstCode]).toMatchObject([code, { code }, 0]);
  session.close();
});

test("bodies beyond the memory for all of them are refused with 503 and Retry-After, and then accepted again", async () => {
  const started = deferred<void>();
  const finish = deferred<void>();
  const { hooks: slow } = webhook(Website, {
    async validate({ object }) {
      if (object.spec.image !== "slow") return;
      started.resolve();
      await finish.promise;
    },
  });
  const body = reviewText({ padding: "x".repeat(6000) });
  await using served = await Served.start({ hooks: slow, maxBodiesBytes: 10_000 });
  const first = served.post(path, body.replace("nginx:1.27", "slow"));
  await started.promise;
  const session = http2To(served);
  const stream = post(session);
  stream.end(body);
  const [headers] = await once(stream, "response");
  expect([headers[":status"], headers["retry-after"], JSON.parse(await textOf(stream))]).toEqual([
    503,
    "1",
    {
      apiVersion: "v1",
      kind: "Status",
      metadata: {},
      status: "Failure",
      message:
        "expected at most 10000 bytes of requests at the same time, got more; the API server tries again",
      code: 503,
    },
  ]);
  session.close();
  finish.resolve();
  expect([await first, await served.post(path, body)]).toMatchObject([{ status: 200 }, { status: 200 }]);
});

test("TLS 1.1 is refused", async () => {
  await using served = await Served.start({ hooks });
  const { port, authority } = served;
  const ciphers = "DEFAULT@SECLEVEL=0"; // with it the client would speak TLS 1.1
  const old = connectTls({
    ...{ port, host: "127.0.0.1", servername: "localhost", ca: authority.cert, ciphers },
    ...{ minVersion: "TLSv1", maxVersion: "TLSv1.1" },
  });
  const [error] = (await once(old, "error").catch((reason: unknown) => [reason])) as [NodeJS.ErrnoException];
  expect(error.code).toBe("ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION");
});

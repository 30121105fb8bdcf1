import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { VirtualClock } from "../../base/index.ts";
import type { HttpReply, HttpRequest } from "./http-server.ts";
import { Profiles } from "./profiles.ts";

function request(url: string, signal = new AbortController().signal): HttpRequest {
  const { pathname: path, searchParams: query } = new URL(url, "http://localhost");
  return { method: "GET", path, query, headers: {}, address: "10.0.0.7", signal };
}

/** Advances time until the response is complete, and returns it. */
async function advanceUntil(clock: VirtualClock, response: Promise<HttpReply>): Promise<HttpReply> {
  let over = false;
  const reply = response.finally(() => {
    over = true;
  });
  while (!over) await clock.advance(clock.nextMs ?? 0);
  return reply;
}

test("a CPU profile covers the requested seconds", async () => {
  const clock = new VirtualClock();
  const reply = await advanceUntil(
    clock,
    new Profiles(clock).respond(request("/debug/pprof/profile?seconds=2.5")),
  );
  expect(clock.monotonic()).toBe(2500);
  expect(reply.headers).toEqual({
    "content-type": "application/json",
    "content-disposition": 'attachment; filename="profile.cpuprofile"',
  });
  expect(JSON.parse(String(reply.body))).toMatchObject({
    nodes: expect.any(Array),
    samples: expect.any(Array),
  });
});

test("a CPU profile takes thirty seconds by default", async () => {
  const clock = new VirtualClock();
  await advanceUntil(clock, new Profiles(clock).respond(request("/debug/pprof/profile")));
  expect(clock.monotonic()).toBe(30_000);
});

test.each(["0", "-1", "301", "soon"])("%s seconds are refused", async (seconds) => {
  const reply = await new Profiles(new VirtualClock()).respond(
    request(`/debug/pprof/profile?seconds=${seconds}`),
  );
  expect([reply.status, reply.body]).toEqual([
    400,
    `expected seconds above 0 and up to 300, got ${seconds}\n`,
  ]);
});

test("one profile is taken at a time", async () => {
  const clock = new VirtualClock();
  const profiles = new Profiles(clock);
  const ended = new AbortController();
  const first = profiles.respond(request("/debug/pprof/profile", ended.signal));
  const second = await profiles.respond(request("/debug/pprof/heap"));
  expect([second.status, second.body]).toEqual([
    409,
    "another profile is in progress; retry when it has ended\n",
  ]);
  ended.abort();
  expect((await first).status).toBe(200);
  const third = await advanceUntil(clock, profiles.respond(request("/debug/pprof/profile?seconds=1")));
  expect(third.status).toBe(200);
});

test("the heap snapshot is streamed", async () => {
  const { body } = await new Profiles(new VirtualClock()).respond(request("/debug/pprof/heap"));
  expect(body).toBeInstanceOf(Readable);
  for await (const chunk of body as Readable) {
    expect(String(chunk).slice(0, 12)).toBe('{"snapshot":');
    break; // the rest is long
  }
});

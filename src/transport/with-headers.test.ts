import { expect, test } from "vitest";
import { scripted, status } from "./scripted-transport.fixture.ts";
import { withComponent, withHeaders } from "./with-headers.ts";

test.each(["send", "open"] as const)("%s: headers go with every request, and its own win", async (way) => {
  const below = scripted(status(200));
  const transport = withHeaders(below, { "user-agent": "ours", accept: "text/plain" });
  await transport[way]({ method: "GET", path: "/a" });
  await transport[way]({ method: "POST", path: "/b", body: "{}", headers: { accept: "application/json" } });
  expect(below.asked).toEqual([
    { method: "GET", path: "/a", headers: { "user-agent": "ours", accept: "text/plain" } },
    { method: "POST", path: "/b", body: "{}", headers: { "user-agent": "ours", accept: "application/json" } },
  ]);
});

test("it is the server below, and closes it", async () => {
  let closed = 0;
  const below = { ...scripted(), close: async () => void closed++ };
  const transport = withHeaders(below, {});
  await transport.close();
  expect([transport.server, closed]).toEqual([below.server, 1]);
});

test.each(["send", "open"] as const)(
  "%s: the part of a program that asks ends its user agent",
  async (way) => {
    const below = scripted(status(200));
    const transport = withComponent(withHeaders(below, { "user-agent": "ours/1" }), "leader-election");
    await transport[way]({ method: "GET", path: "/a" });
    expect(below.asked.map(({ headers }) => headers)).toEqual([{ "user-agent": "ours/1/leader-election" }]);
  },
);

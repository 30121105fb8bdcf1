import { expect, test } from "vitest";
import { scripted, status } from "./scripted-transport.fixture.ts";
import { withComponent, withHeaders } from "./with-headers.ts";

test.each(["send", "open"] as const)(
  "%s: headers are sent with every request, and its own take precedence",
  async (way) => {
    const below = scripted(status(200));
    const transport = withHeaders(below, { "user-agent": "ours", accept: "text/plain" });
    await transport[way]({ method: "GET", path: "/a" });
    await transport[way]({ method: "POST", path: "/b", body: "{}", headers: { accept: "application/json" } });
    expect(below.requests).toEqual([
      { method: "GET", path: "/a", headers: { "user-agent": "ours", accept: "text/plain" } },
      {
        method: "POST",
        path: "/b",
        body: "{}",
        headers: { "user-agent": "ours", accept: "application/json" },
      },
    ]);
  },
);

test("withHeaders keeps the server's name, and closes the transport", async () => {
  let closed = 0;
  const below = { ...scripted(), close: async () => void closed++ };
  const transport = withHeaders(below, {});
  await transport.close();
  expect([transport.server, closed]).toEqual([below.server, 1]);
});

test.each(["send", "open"] as const)("%s: the component is appended to the user agent", async (way) => {
  const below = scripted(status(200));
  const transport = withComponent(withHeaders(below, { "user-agent": "ours/1" }), "leader-election");
  await transport[way]({ method: "GET", path: "/a" });
  expect(below.requests.map(({ headers }) => headers)).toEqual([{ "user-agent": "ours/1/leader-election" }]);
});

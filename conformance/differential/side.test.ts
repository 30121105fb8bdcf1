import { expect, test } from "vitest";
import type { Transport } from "../../src/transport/index.ts";
import { Memory } from "./memory.ts";
import { closed, send } from "./side.ts";

test("a closed connection instead of a response is a separate response", async () => {
  const unanswered = async (): Promise<never> => {
    throw new Error("other side closed");
  };
  const transport: Transport = {
    server: "nowhere",
    send: unanswered,
    open: unanswered,
    close: async () => {},
  };
  const answer = await send(transport, new Memory("ns-1"), { method: "GET", path: "/api/v1/pods" });
  expect(answer).toEqual({ status: closed, headers: {}, body: "" });
});

import { expect, test } from "vitest";
import { isLoopback } from "./loopback.ts";

test.each([
  "localhost",
  "LocalHost",
  "127.0.0.1",
  "127.8.9.10",
  "::1",
  "[::1]",
  "0:0::1",
  "::ffff:127.0.0.1",
  "[::ffff:7f00:1]",
])("%s is loopback", (host) => {
  expect(isLoopback(host)).toBe(true);
});

test.each([
  "",
  "128.0.0.1",
  "127.example.com",
  "127.0.0",
  "::",
  "::2",
  "0.0.0.0",
  "localhost.example.com",
  "my-localhost",
])("%j is not loopback", (host) => {
  expect(isLoopback(host)).toBe(false);
});

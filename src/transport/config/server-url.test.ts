import { expect, test } from "vitest";
import { readProxy, readServer, withoutPassword } from "./server-url.ts";

test.each([
  ["https://10.0.0.1:6443", "https://10.0.0.1:6443"],
  ["https://host/", "https://host"],
  ["https://rancher/k8s/clusters/c-1/", "https://rancher/k8s/clusters/c-1"],
  ["https://[fd00::1]:6443", "https://[fd00::1]:6443"],
  ["HTTP://host:8080", "http://host:8080"],
])("%s is normalized to %s", (text, url) => {
  expect(readServer(text, false)).toEqual({ type: "url", url });
});

test("a host without a scheme is https if TLS is configured, and http otherwise", () => {
  expect(readServer("host:6443", true)).toEqual({ type: "url", url: "https://host:6443" });
  expect(readServer("localhost:8080", false)).toEqual({ type: "url", url: "http://localhost:8080" });
});

test.each([
  "https://",
  "ftp://host",
  "https://user:secret@host",
  "https://us#er:secret@host",
  "https://us?er:secret@host",
  "us er:secret@host",
  "https://host?a=b",
  "https://host#a",
  "a b",
])("%s is not a server URL", (text) => {
  const read = readServer(text, true);
  expect(read.type).toBe("fault");
  expect(JSON.stringify(read)).not.toContain("secret");
});

test.each(["http://proxy:3128", "https://u:p@proxy", "socks5://[::1]:1080"])("%s is a proxy URL", (url) => {
  expect(readProxy(url)).toEqual({ type: "url", url });
});

test.each([
  "proxy:3128",
  "socks4://proxy",
  "ftp://u:secret@proxy",
  "http://",
  "http://u#v:secret@proxy",
  "http://u/v:secret@proxy",
  "http://u?v:secret@proxy",
])("%s is not a proxy URL", (text) => {
  const read = readProxy(text);
  expect(read.type).toBe("fault");
  expect(JSON.stringify(read)).not.toContain("secret");
});

test("withoutPassword removes the user and password", () => {
  expect(withoutPassword("http://u:p@proxy:3128/")).toBe("http://proxy:3128");
  expect(withoutPassword("http://u#v:p@proxy:3128/")).toBe("http://u");
  expect(withoutPassword("u v:p@proxy")).toBe("an invalid URL");
  expect(withoutPassword("http://proxy:3128")).toBe("http://proxy:3128");
});

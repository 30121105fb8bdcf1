import { expect, test } from "vitest";
import { bypassesProxy } from "./no-proxy.ts";

test.each([
  // loopback never uses a proxy
  ["http://localhost:8080", "", true],
  ["https://127.0.0.1:6443", "", true],
  ["https://127.1.2.3:6443", "", true],
  ["https://[::1]:6443", "", true],
  ["https://10.0.0.1:6443", "", false],
  // everything
  ["https://10.0.0.1:6443", "*", true],
  ["https://api.example.com", "other.org, * ", true],
  // addresses
  ["https://10.0.0.1:6443", "10.0.0.1", true],
  ["https://10.0.0.1:6443", "10.0.0.2,10.0.0.1", true],
  ["https://10.0.0.1:6443", "10.0.0.2", false],
  ["https://10.0.0.1:6443", "10.0.0.1:6443", true],
  ["https://10.0.0.1:6443", "10.0.0.1:443", false],
  ["https://10.0.0.1", "10.0.0.1:443", true],
  ["http://10.0.0.1", "10.0.0.1:80", true],
  ["https://[2001:db8::1]:6443", "2001:0db8:0::1", true],
  ["https://[2001:db8::1]:6443", "[2001:db8::1]:6443", true],
  ["https://[2001:db8::1]:6443", "[2001:db8::1]:443", false],
  // ranges
  ["https://10.96.0.1", "10.96.0.0/12", true],
  ["https://10.96.0.1", "10.97.3.4/12", true],
  ["https://10.112.0.1", "10.96.0.0/12", false],
  ["https://[2001:db8::1]", "2001:db8::/32", true],
  ["https://[2001:db9::1]", "2001:db8::/32", false],
  ["https://10.96.0.1", "2001:db8::/32", false],
  ["https://10.96.0.1", "10.96.0.0/33", false],
  ["https://ten.example.com", "10.0.0.0/8", false],
  // domains
  ["https://example.com", "example.com", true],
  ["https://api.example.com", "example.com", true],
  ["https://API.example.com", "Example.COM", true],
  ["https://badexample.com", "example.com", false],
  ["https://example.com", ".example.com", false],
  ["https://api.example.com", ".example.com", true],
  ["https://example.com", "*.example.com", false],
  ["https://a.api.example.com", "*.example.com", true],
  ["https://api.example.com:6443", "example.com:6443", true],
  ["https://api.example.com", "example.com:443", true],
  ["https://api.example.com", "example.com:6443", false],
  ["https://kubernetes.default.svc", "localhost,.svc,.cluster.local", true],
  ["https://xn--bcher-kva.example", "bücher.example", true],
  // malformed entries match nothing
  ["https://api.example.com", ", ,:443", false],
  ["https://10.0.0.1:6443", "10.0.0.1/", false],
])("a request to %s with NO_PROXY=%s bypasses the proxy: %s", (server, noProxy, bypasses) => {
  expect(bypassesProxy(new URL(server), noProxy)).toBe(bypasses);
});

import { expect, test } from "vitest";
import { Memory } from "./memory.ts";

const uid = "4d7ad2f1-6a52-4f0b-9a3c-0d7f5a6c1b2e";
const object = (resourceVersion: string) => ({ metadata: { name: "a", uid, resourceVersion } });

test("a version is numbered per object, and a uid among all", () => {
  const memory = new Memory("ns-1");
  const masked = ["7", "9", "7"].map((version) => memory.masked("configmaps", object(version)));
  expect(masked).toEqual([
    { metadata: { name: "a", uid: "<uid 1>", resourceVersion: "<configmaps/a version 1>" } },
    { metadata: { name: "a", uid: "<uid 1>", resourceVersion: "<configmaps/a version 2>" } },
    { metadata: { name: "a", uid: "<uid 1>", resourceVersion: "<configmaps/a version 1>" } },
  ]);
});

test("values of a server's responses are inserted into requests that refer to them", () => {
  const memory = new Memory("ns-1");
  memory.begin("5");
  for (const version of ["7", "9"]) memory.masked("configmaps", object(version));
  memory.masked("configmaps", { metadata: { continue: "a b" }, items: [] });
  const text = "{ns} {version:configmaps/a} {version:configmaps/a:1} {uid:configmaps/a} {version:pods/x}";
  expect(memory.fill(text)).toBe(`ns-1 9 7 ${uid} 5`);
  expect(memory.fill("?continue={continue:configmaps}")).toBe("?continue=a%20b");
});

test("messages, addresses, ports, current times and generated names are masked, and other times are not", () => {
  const memory = new Memory("ns-1");
  memory.masked("services", { metadata: { name: "s", uid, resourceVersion: "7" } });
  const now = new Date().toISOString().replace(/\.\d+/, "");
  const body = {
    message: `ResourceVersion in precondition: 7, in ns-1, uid ${uid}`,
    spec: { clusterIP: "10.0.0.9", clusterIPs: ["10.0.0.9"], ports: [{ nodePort: 30_007, port: 80 }] },
    times: [now, "2020-01-01T00:00:00Z"],
    name: "g3-bcdfg",
  };
  expect(memory.masked("services", body)).toEqual({
    message: "ResourceVersion in precondition: <services/s version 1>, in {ns}, uid <uid 1>",
    spec: {
      clusterIP: "<address 1>",
      clusterIPs: ["<address 1>"],
      ports: [{ nodePort: "<node port 1>", port: 80 }],
    },
    times: ["<now>", "2020-01-01T00:00:00Z"],
    name: "g3-<generated>",
  });
});

test("a version is masked where a patch moved it and in errors, and other numbers are not", () => {
  const memory = new Memory("ns-1");
  memory.masked("configmaps", object("77"));
  const moved = { metadata: { name: "b", labels: { tier: "77", size: "78" } }, data: { port: "770" } };
  const refused = { message: 'the name (77) does not match: "77", {\\"a\\":\\"77\\"}, not 77 or "78"' };
  const label = "<configmaps/a version 1>";
  expect([moved, refused].map((answer) => memory.masked("configmaps", answer))).toEqual([
    { metadata: { name: "b", labels: { tier: label, size: "78" } }, data: { port: "770" } },
    { message: `the name (${label}) does not match: "${label}", {\\"a\\":\\"${label}\\"}, not 77 or "78"` },
  ]);
});

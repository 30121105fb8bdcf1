import { expect, test } from "vitest";
import { decodedPath, parseRequestTarget } from "./request-target.ts";

test.each([
  ["/api/v1/pods", "/api/v1/pods", ""],
  ["/api/v1/pods?limit=5&watch", "/api/v1/pods", "limit=5&watch="],
  ["/api/../v1?", "/api/../v1", ""],
  ["http://host:1/api?a=b", "/api", "a=b"],
  ["/?a=1?b", "/", "a=1%3Fb"],
  ["/?a=%zz&b=1;c=2&d=3", "/", "d=3"],
  ["/?a+b=c%20d", "/", "a+b=c+d"],
])("%s is split into a path and a query", (target, path, query) => {
  const read = parseRequestTarget(target);
  expect([read.path, read.query.toString()]).toEqual([path, query]);
});

test.each([
  ["/api/v1/pods", "/api/v1/pods"],
  ["/a%2Fb%2f/c", "/a/b//c"],
  ["/%C3%A9/%00", "/é/\0"],
  ["/%ff", "/\ufffd"],
  ["/%", undefined],
  ["/%zz", undefined],
])("the path %s is decoded before it is split", (path, decoded) => {
  expect(decodedPath(path)).toBe(decoded);
});

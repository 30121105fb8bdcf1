import fc from "fast-check";
import { entries, fields, maybe, mostly, option, pick } from "./arbitraries.ts";
import type { Subject } from "./subject.ts";

const data = entries(["a", "b", "c.d"], mostly(pick("1", "2", "")));
const binary = entries(["bin", "a"], mostly(pick("AQID", "AQI=", ""), pick("!", "AQI", 1)));
const part = fields({ data: mostly(maybe(data)), binaryData: maybe(binary) });

export const configMaps: Subject = {
  plural: "configmaps",
  root: "/api/v1",
  apiVersion: "v1",
  kind: "ConfigMap",
  subresources: [],
  whole: fields({
    data: mostly(maybe(data)),
    binaryData: maybe(binary),
    immutable: mostly(option(fc.boolean(), { nil: undefined, freq: 5 })),
    unknown: option(pick(1, "x"), { nil: undefined, freq: 20 }),
  }),
  part,
  pointers: [
    "/data",
    "/data/a",
    "/data/b",
    "/data/c.d",
    "/binaryData/bin",
    "/immutable",
    "/data/x~1y",
    "/nope/x",
  ],
  values: fc.oneof(pick("1", "2", true), data),
  fields: ["data.a=1"],
  least: { data: { end: "1" } },
};

import { expect, test } from "vitest";
import { cellsOf, meta } from "./rows.fixture.ts";

const involvedObject = { kind: "Pod", name: "p", fieldPath: "spec.containers{c0}" };
const kubelet = { component: "kubelet", host: "n1" };
const hourAgo = "2026-11-16T02:00:00Z";
const halfAnHourAgo = "2026-11-16T02:28:00Z";

test.each<[string, object, Array<string | number>]>([
  [
    "was seen several times",
    { firstTimestamp: hourAgo, lastTimestamp: halfAnHourAgo, count: 4, source: kubelet, involvedObject },
    ["32m", "pod/p", "spec.containers{c0}", "kubelet, n1", "60m", 4],
  ],
  [
    "was seen once, from a source without a host",
    { firstTimestamp: hourAgo, lastTimestamp: hourAgo, source: { component: "x" }, involvedObject },
    ["60m", "pod/p", "spec.containers{c0}", "x", "60m", 1],
  ],
  [
    "has no time",
    { source: kubelet, involvedObject },
    ["<unknown>", "pod/p", "spec.containers{c0}", "kubelet, n1", "<unknown>", 1],
  ],
  [
    "has the fields of the new API",
    {
      eventTime: "2026-11-16T02:28:00.000000Z",
      reportingComponent: "rc",
      reportingInstance: "ri",
      involvedObject: { kind: "Pod" },
    },
    ["32m", "pod", "", "rc, ri", "32m", 1],
  ],
  [
    "is a series",
    {
      eventTime: "2026-11-16T02:00:00.000000Z",
      series: { count: 7, lastObservedTime: "2026-11-16T02:28:00.000000Z" },
      source: kubelet,
      involvedObject,
    },
    ["32m", "pod/p", "spec.containers{c0}", "kubelet, n1", "60m", 7],
  ],
])("an Event that %s is printed", (_, event, [last, object, part, source, first, count]) => {
  const whole = { metadata: meta("e"), type: "Normal", reason: "Started", message: "  a\n b \n", ...event };
  expect(cellsOf("v1 Event", whole)).toEqual([
    last,
    "Normal",
    "Started",
    object,
    part,
    source,
    "a\n b",
    first,
    count,
    "e",
  ]);
});

test("an Event of events.k8s.io is printed like a core Event", () => {
  const event = {
    metadata: meta("e"),
    type: "Normal",
    reason: "Started",
    note: "Started container",
    regarding: involvedObject,
    deprecatedSource: kubelet,
    deprecatedFirstTimestamp: hourAgo,
    deprecatedLastTimestamp: halfAnHourAgo,
    deprecatedCount: 4,
  };
  expect(cellsOf("events.k8s.io/v1 Event", event)).toEqual([
    "32m",
    "Normal",
    "Started",
    "pod/p",
    "spec.containers{c0}",
    "kubelet, n1",
    "Started container",
    "60m",
    4,
    "e",
  ]);
});

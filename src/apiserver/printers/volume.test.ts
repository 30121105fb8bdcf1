import { expect, test } from "vitest";
import { cellsOf, meta } from "./rows.fixture.ts";

test("a PersistentVolume shows its claim and abbreviated access modes", () => {
  const volume = {
    metadata: meta("pv"),
    spec: {
      capacity: { storage: "2Gi" },
      accessModes: ["ReadWriteMany", "ReadOnlyMany", "ReadWriteOnce"],
      persistentVolumeReclaimPolicy: "Retain",
      claimRef: { namespace: "default", name: "c" },
      storageClassName: "fast",
      volumeMode: "Filesystem",
    },
    status: { phase: "Bound", reason: "why" },
  };
  expect(cellsOf("v1 PersistentVolume", volume)).toEqual([
    "pv",
    "2Gi",
    "RWO,ROX,RWX",
    "Retain",
    "Bound",
    "default/c",
    "fast",
    "<unset>",
    "why",
    "90s",
    "Filesystem",
  ]);
});

test("a claim shows capacity and access modes once it has a volume", () => {
  const status = {
    phase: "Bound",
    capacity: { storage: "1Gi" },
    accessModes: ["ReadWriteOncePod", "ReadWriteOnce"],
  };
  const spec = { volumeName: "pv", storageClassName: "fast", volumeMode: "Block" };
  expect(cellsOf("v1 PersistentVolumeClaim", { metadata: meta("c"), spec, status })).toEqual([
    "c",
    "Bound",
    "pv",
    "1Gi",
    "RWO,RWOP",
    "fast",
    "<unset>",
    "90s",
    "Block",
  ]);
  expect(
    cellsOf("v1 PersistentVolumeClaim", {
      metadata: meta("c"),
      spec: { volumeMode: "Block" },
      status: { ...status, phase: "Pending" },
    }),
  ).toEqual(["c", "Pending", "", "", "", "", "<unset>", "90s", "Block"]);
});

test("a claim that is being deleted shows the storage class of its annotation", () => {
  const claim = {
    metadata: meta("c", {
      deletionTimestamp: "2026-11-16T02:59:00Z",
      annotations: { "volume.beta.kubernetes.io/storage-class": "old" },
    }),
    spec: {
      volumeName: "x",
      volumeAttributesClassName: "vac",
      storageClassName: "fast",
      volumeMode: "Filesystem",
    },
    status: { phase: "Pending" },
  };
  expect(cellsOf("v1 PersistentVolumeClaim", claim)).toEqual([
    "c",
    "Terminating",
    "x",
    "0",
    "",
    "old",
    "vac",
    "90s",
    "Filesystem",
  ]);
});

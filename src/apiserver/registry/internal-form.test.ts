import { expect, test } from "vitest";
import { internalDiff, internalForm } from "./internal-form.ts";

test("a claim is printed with every field of the server's own struct", () => {
  const spec = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };
  expect(internalForm("PersistentVolumeClaimSpec", spec)).toEqual({
    AccessModes: ["ReadWriteOnce"],
    Selector: null,
    Resources: { Limits: null, Requests: { storage: "1Gi" } },
    VolumeName: "",
    StorageClassName: null,
    VolumeMode: null,
    DataSource: null,
    DataSourceRef: null,
    VolumeAttributesClassName: null,
  });
});

/** As kube-apiserver told it about a command that somebody set. */
test("what changed in a Pod is told by the names of Go", () => {
  const pod = { containers: [{ name: "c", image: "i:1", command: undefined as string[] | undefined }] };
  const changed = { containers: [{ name: "c", image: "i:1", command: ["x"] }] };
  expect(internalDiff("PodSpec", pod, changed)).toBe(
    '@@ -5,7 +5,9 @@\n   {\n    "Name": "c",\n    "Image": "i:1",\n-   "Command": null,\n+   "Command": [\n' +
      '+    "x"\n+   ],\n    "Args": null,\n    "WorkingDir": "",\n    "Ports": null,\n',
  );
});

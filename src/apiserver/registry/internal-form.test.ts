import { expect, test } from "vitest";
import { internalDiff, internalForm } from "./internal-form.ts";

test("the internal form has every field of the Go struct", () => {
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

/** The message of kube-apiserver after a change of a command. */
test("a diff of Pods has the field names of Go", () => {
  const pod = { containers: [{ name: "c", image: "i:1", command: undefined as string[] | undefined }] };
  const changed = { containers: [{ name: "c", image: "i:1", command: ["x"] }] };
  expect(internalDiff("PodSpec", pod, changed)).toBe(
    '@@ -5,7 +5,9 @@\n   {\n    "Name": "c",\n    "Image": "i:1",\n-   "Command": null,\n+   "Command": [\n' +
      '+    "x"\n+   ],\n    "Args": null,\n    "WorkingDir": "",\n    "Ports": null,\n',
  );
});

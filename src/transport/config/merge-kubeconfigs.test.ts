import { expect, test } from "vitest";
import { parseKubeconfig } from "./kubeconfig.ts";
import { mergeKubeconfigs } from "./merge-kubeconfigs.ts";

test("each entry and the current-context come completely from the first file that has them", async () => {
  const merged = mergeKubeconfigs(
    await Promise.all([
      parseKubeconfig("users: [{ name: jane, user: { username: first } }]", { file: "/one" }),
      parseKubeconfig(
        "current-context: second\nusers: [{ name: jane, user: { username: second, password: p } }, { name: joe }]",
        { file: "/two" },
      ),
      parseKubeconfig("current-context: third\nclusters: [{ name: c, cluster: { server: s } }]", {
        file: "/three",
      }),
    ]),
  );

  expect(merged.currentContext).toBe("second");
  expect([...merged.users.keys()]).toEqual(["jane", "joe"]);
  expect(merged.users.get("jane")).toMatchObject({ username: "first", password: undefined });
  expect(merged.clusters.get("c")?.server).toBe("s");
  expect(merged.files).toEqual(["/one", "/two", "/three"]);
});

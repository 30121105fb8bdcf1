import { test } from "vitest";
import { ConfigMap } from "../api/types/core/v1.ts";
import { controller } from "./index.ts";

const reconcile = async (): Promise<void> => {};
const finalizer = "example.dev/maps";

test("cleanup and finalizer come together", () => {
  controller({ name: "maps", for: ConfigMap, reconcile });
  controller({ name: "maps", for: ConfigMap, reconcile, finalizer, cleanup: async ({ data }) => void data });
  // @ts-expect-error: property 'finalizer' is missing
  () => controller({ name: "maps", for: ConfigMap, reconcile, cleanup: reconcile });
  // @ts-expect-error: property 'cleanup' is missing
  () => controller({ name: "maps", for: ConfigMap, reconcile, finalizer });
  // @ts-expect-error: property 'cleanup' is missing
  () => controller({ name: "maps", for: ConfigMap, reconcile, formerFinalizers: [finalizer] });
});

import { configDefaults, defineConfig } from "vitest/config";

/** Measures the memory of a process, which takes longer to shrink beside other programs. */
const alone = ["src/cache/idle-memory.real.test.ts"];
const every = "{src,conformance,examples}/**/*.real.test.ts";
const common = { setupFiles: ["test/random-seed.ts"], testTimeout: 60_000 };

/** Tests that need real programs (kube-apiserver, kubectl, client-go) or real time. Continuous integration runs them. */
export default defineConfig({
  test: {
    projects: [
      { test: { ...common, name: "alone", include: alone, sequence: { groupOrder: 0 } } },
      {
        test: {
          ...common,
          name: "beside others",
          include: [every],
          exclude: [...configDefaults.exclude, ...alone],
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});

import { defineConfig } from "vitest/config";

/** Tests that need real programs (kube-apiserver, kubectl, client-go) or real time. Continuous integration runs them. */
export default defineConfig({
  test: {
    include: ["{src,conformance,examples}/**/*.real.test.ts"],
    setupFiles: ["test/random-seed.ts"],
    testTimeout: 60_000,
  },
});

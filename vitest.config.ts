import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: [
      "src/**/*.test.ts",
      "test/**/*.test.ts",
      "examples/**/*.test.ts",
      "bench/**/*.test.ts",
      "fuzz/**/*.test.ts",
      "conformance/**/*.test.ts",
    ],
    setupFiles: ["test/random-seed.ts"],
    testTimeout: 60_000,
  },
});

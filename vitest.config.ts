import { availableParallelism } from "node:os";
import { configDefaults, defineConfig } from "vitest/config";

/** Tests that need real programs (kube-apiserver, kubectl, client-go) or real time: `npm run test:real`. */
const real = ["**/*.real.test.ts"];

/**
 * Tests that read or change state of the whole process: memory, timers and handles, V8 flags, globals, processor time.
 * Each runs in a process of its own. All others share one process per worker, which saves loading the package 400 times.
 */
const ownProcess = [
  "src/apiserver/growth.test.ts",
  "src/base/clock.test.ts",
  "src/base/feed.test.ts",
  "src/base/open-telemetry.test.ts",
  "src/base/pino-logger.test.ts",
  "src/base/signals.test.ts",
  "src/cache/memory.test.ts",
  "src/cache/retention.test.ts",
  "src/controller/reconcile-signal.test.ts",
  "src/manager/servers/profiles.test.ts",
  "src/queue/many-workers.test.ts",
  "src/testing/temporary-folder.test.ts",
  "src/transport/http/connections.test.ts",
];

const options = { setupFiles: ["test/random-seed.ts"], testTimeout: 60_000 };

export default defineConfig({
  test: {
    // Vitest leaves one core to itself by default, but many tests wait for programs, sockets and files.
    maxWorkers: availableParallelism(),
    projects: [
      {
        test: {
          ...options,
          name: "shared",
          isolate: false,
          include: ["{src,test,scripts,examples,bench,fuzz,conformance}/**/*.test.ts"],
          exclude: [...configDefaults.exclude, ...real, ...ownProcess],
        },
      },
      { test: { ...options, name: "own process", include: ownProcess } },
    ],
  },
});

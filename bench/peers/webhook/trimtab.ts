import { join } from "node:path";
import { manager } from "trimtab";
import { Pod } from "trimtab/api/core/v1";
import { connect } from "trimtab/client";
import { Denied, webhook } from "trimtab/webhook";
import { givenArguments } from "../probe.ts";

/** Our webhook server for the bench "webhook". It runs until its input ends. */
const { port, certificates: folder = "" } = givenArguments();

const admission = webhook(Pod, {
  default({ metadata }) {
    metadata.annotations ??= {};
    metadata.annotations["bench.trimtab.dev/admitted"] = "true";
  },
  validate({ object }) {
    if (!object.spec?.serviceAccountName)
      throw new Denied("is required", { field: "spec.serviceAccountName" });
  },
});

const running = manager({
  controllers: [],
  webhooks: [admission],
  webhookServer: {
    host: "127.0.0.1",
    port: Number(port),
    certificates: { certFile: join(folder, "tls.crt"), keyFile: join(folder, "tls.key") },
    registration: "none",
  },
  client: await connect({ server: "http://127.0.0.1:1" }), // without controllers and preflight, no request is sent
  preflight: false,
  metrics: false,
  health: false,
});
const ended = running.run({ signal: new AbortController().signal });
await Promise.race([running.ready, ended]);
process.stdout.write('{"listening":true}\n');
process.stdin.on("end", () => process.exit(0)).resume();

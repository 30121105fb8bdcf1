import { startCluster } from "./start-cluster.ts";
import { webhookSuite } from "./webhooks.contract.ts";

webhookSuite(() => startCluster());

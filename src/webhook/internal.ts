/** The webhook server as the manager starts and stops it. Users configure it with `manager({ webhookServer })`. */
export { requiredAccess } from "./required-access.ts";
export { RunningWebhooks } from "./running-webhooks.ts";
export { type WebhookSetup, webhookSetup } from "./webhook-setup.ts";

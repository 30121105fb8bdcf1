import type { AdmissionContext } from "./admission-context.ts";
import type { AdmissionAttributes } from "./attributes.ts";
import { callWebhook, handleFailure } from "./call-webhook.ts";
import { convertedAttributes } from "./converted-attributes.ts";
import { type Invocation, invocationOf } from "./invocation.ts";
import type { ConfiguredWebhook } from "./webhook-configurations.ts";

/** Calls all matching webhooks in parallel, and waits for all of them. Throws the first error in order of time. */
export async function runValidating(
  context: AdmissionContext,
  webhooks: readonly ConfiguredWebhook[],
  attributes: AdmissionAttributes,
): Promise<void> {
  const invocations = webhooks.flatMap((one) => invocationOf(one, attributes, context) ?? []);
  const errors: unknown[] = [];
  await Promise.all(
    invocations.map((invocation) =>
      validate(context, invocation, attributes).catch((error: unknown) => void errors.push(error)),
    ),
  );
  if (errors.length > 0) throw errors[0];
}

async function validate(
  context: AdmissionContext,
  invocation: Invocation,
  original: AdmissionAttributes,
): Promise<void> {
  const attributes = await convertedAttributes(invocation, original);
  try {
    await callWebhook(context, invocation, { attributes, mutating: false });
  } catch (error) {
    handleFailure(invocation, error);
  }
}

import type { AdmissionHook } from "./admission-hook.ts";
import { checkUnique } from "./check-hook.ts";
import type { RegisteredConverter } from "./configurations.ts";
import type { ConvertibleKind } from "./conversion-review.ts";
import type { WebhookServerOptions } from "./server-options.ts";
import type { Webhook } from "./webhook.ts";
import { registrationName, targetOf, type WebhookTarget } from "./webhook-target.ts";

/** The checked options of a webhook server, with all names. */
export interface WebhookSetup {
  readonly options: WebhookServerOptions;
  readonly hooks: readonly AdmissionHook[];
  readonly converters: readonly RegisteredConverter[];
  /** `undefined` if neither the registration nor the certificates need it. */
  readonly target: WebhookTarget | undefined;
  /** The name of both webhook configurations. */
  readonly name: string;
  /** The Secret of managed certificates. */
  readonly secret: { readonly name: string; readonly namespace: string };
  /** The namespace of the server's own Pods. `undefined` if the server is reached by a URL. */
  readonly namespace: string | undefined;
}

/**
 * Checks the options and returns the names of everything.
 *
 * @throws {ConfigError} if the options lack an address or have an invalid one
 * @throws {TypeError} if two hooks have the same path or name
 */
export function webhookSetup(
  webhooks: readonly (Webhook | ConvertibleKind)[],
  options: WebhookServerOptions,
  clientNamespace: string,
): WebhookSetup {
  const hooks = webhooks.flatMap((each) => ("hooks" in each ? each.hooks : []));
  const converters = webhooks.flatMap((each) => ("hooks" in each ? [] : convertersOf(each)));
  checkUnique(hooks);
  const target = targetOf(options, clientNamespace);
  const name = options.name ?? (target ? registrationName(target) : "");
  const service = target?.type === "service" ? target : undefined;
  const secret = {
    name: `${service?.name ?? name}-webhook-certificates`,
    namespace: service?.namespace ?? clientNamespace,
  };
  return { options, hooks, converters, target, name, namespace: service?.namespace, secret };
}

function convertersOf(convertible: ConvertibleKind): RegisteredConverter[] {
  const { conversion } = convertible;
  if (conversion.strategy === "None") return [];
  const { group, kind: name, storageVersion } = conversion;
  const { metadata } = convertible.toCustomResourceDefinition();
  const convert: RegisteredConverter["convert"] = (object, version) => conversion.convert(object, version);
  return [{ group, kind: name, storageVersion, convert, definition: metadata.name }];
}

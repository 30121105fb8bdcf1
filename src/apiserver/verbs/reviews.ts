import type { SelfSubjectReview, TokenReview } from "../../api/types/authentication/v1.ts";
import type { SelfSubjectRulesReview, SubjectAccessReview } from "../../api/types/authorization/v1.ts";
import { timestamp } from "../../base/index.ts";
import { type FieldError, invalid } from "../../schema/index.ts";
import { checkToken } from "../auth/token-check.ts";
import type { UserInfo } from "../types/exchange.ts";
import { badRequest, invalidObject } from "../types/status-error.ts";
import type { Call, Engine } from "./engine.ts";
import { sentObject } from "./sent-object.ts";
import type { ValueResult } from "./verb-result.ts";

/** Handles POST of an access review. Every access is allowed. */
export async function reviewAccess(engine: Engine, call: Call): Promise<ValueResult> {
  const { object, validate } = await sentObject<SubjectAccessReview>(engine, call);
  const errors = accessErrors(call, object);
  if (errors.length > 0) throw invalidObject({ group: call.resource.group, kind: "" }, "", errors);
  await validate();
  return created({ ...object, status: { allowed: true } });
}

function accessErrors({ resource, namespace }: Call, { spec }: SubjectAccessReview): FieldError[] {
  const { resourceAttributes: attributes, nonResourceAttributes: path, user, groups = [] } = spec;
  const about = "spec.resourceAttributes";
  if (!attributes && !path) {
    return [
      invalid(about, null, "exactly one of nonResourceAttributes or resourceAttributes must be specified"),
    ];
  }
  if (attributes && path) {
    const goPath = { Path: path.path ?? "", Verb: path.verb ?? "" };
    return [
      invalid(
        "spec.nonResourceAttributes",
        goPath,
        "cannot be specified in combination with resourceAttributes",
      ),
    ];
  }
  if (!resource.kind.startsWith("Self") && !user && groups.length === 0) {
    return [invalid("spec.user", user ?? "", "at least one of user or group must be specified")];
  }
  const elsewhere = resource.namespaced && attributes?.namespace !== namespace;
  return elsewhere
    ? [invalid(`${about}.namespace`, attributes?.namespace ?? "", "must match metadata.namespace")]
    : [];
}

/** Handles POST of a SelfSubjectRulesReview. The result is a rule that allows everything. */
export async function reviewRules(engine: Engine, call: Call): Promise<ValueResult> {
  const { object, validate } = await sentObject<SelfSubjectRulesReview>(engine, call);
  if (!object.spec.namespace) throw badRequest("no namespace on request");
  await validate();
  const { kind, apiVersion } = object;
  const status = {
    resourceRules: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }],
    nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["*"] }],
    incomplete: false,
  };
  return created({ kind, apiVersion, metadata: {}, spec: {}, status });
}

/** Handles POST of a SelfSubjectReview: returns the user of the request. */
export async function reviewSelf(engine: Engine, call: Call): Promise<ValueResult> {
  const { object, validate } = await sentObject<SelfSubjectReview>(engine, call);
  await validate();
  const { kind, apiVersion } = object;
  const metadata = { creationTimestamp: timestamp(engine.clock.now()) };
  return created({ kind, apiVersion, metadata, status: { userInfo: userInfo(call.request.user) } });
}

/** Handles POST of a TokenReview: returns the user of the token, or the error. */
export async function reviewToken(engine: Engine, call: Call): Promise<ValueResult> {
  const { object, validate } = await sentObject<TokenReview>(engine, call);
  const { token, audiences } = object.spec;
  if (!token) throw badRequest("token is required for TokenReview in authentication");
  await validate();
  const check = checkToken(engine, token, audiences ?? []);
  const status =
    check.type === "authenticated"
      ? { authenticated: true, user: userInfo(check.user), audiences: check.audiences }
      : { user: {}, error: check.error };
  return created({ ...object, status });
}

function userInfo({ username, uid, groups, extra }: UserInfo): object {
  return { username, ...(uid && { uid }), ...(groups.length > 0 && { groups }), ...(extra && { extra }) };
}

function created(value: object): ValueResult {
  return { type: "value", code: 201, value };
}

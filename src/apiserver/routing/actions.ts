import type { Resource, ServedSubresource } from "../types/resource.ts";
import { bindPod, createBinding } from "../verbs/binding.ts";
import { create } from "../verbs/create.ts";
import { deleteNamed } from "../verbs/delete.ts";
import { deleteCollection } from "../verbs/delete-collection.ts";
import type { Call, Engine } from "../verbs/engine.ts";
import { evictPod } from "../verbs/eviction.ts";
import { get } from "../verbs/get.ts";
import { list } from "../verbs/list.ts";
import { patch } from "../verbs/patch.ts";
import { connectPod } from "../verbs/pod-connection.ts";
import { podLog } from "../verbs/pod-log.ts";
import { reviewAccess, reviewRules, reviewSelf, reviewToken } from "../verbs/reviews.ts";
import { getScale, patchScale, updateScale } from "../verbs/scale.ts";
import { requestToken } from "../verbs/token-request.ts";
import { update } from "../verbs/update.ts";
import type { VerbResult } from "../verbs/verb-result.ts";
import { watch } from "../verbs/watch.ts";

/** Performs a verb. */
export type Action = (engine: Engine, call: Call) => Promise<VerbResult>;

type Actions = Readonly<Record<string, Action | undefined>>;

/** Returns the action of a verb on a resource or subresource, or `undefined` if it is not served. */
export function actionOf(
  { group, kind }: Resource,
  subresource: ServedSubresource | undefined,
  verb: string,
): Action | undefined {
  const actions = subresource
    ? subresourceActions[subresource.name]
    : (virtualKinds.get(`${group}/${kind}`) ?? objectActions);
  return actions?.[verb];
}

const objectActions: Actions = {
  get,
  list,
  watch,
  create,
  update,
  patch,
  delete: deleteNamed,
  deletecollection: deleteCollection,
};

const subresourceActions: Readonly<Record<string, Actions | undefined>> = {
  status: { get, update, patch },
  scale: { get: getScale, update: updateScale, patch: patchScale },
  finalize: { update },
  approval: { get, update, patch },
  ephemeralcontainers: { get, update, patch },
  resize: { get, update, patch },
  binding: { create: bindPod },
  eviction: { create: evictPod },
  log: { get: podLog },
  exec: { get: connectPod, create: connectPod },
  attach: { get: connectPod, create: connectPod },
  portforward: { get: connectPod, create: connectPod },
  token: { create: requestToken },
};

/** Kinds that are only sent and answered, never stored. */
const virtualKinds: ReadonlyMap<string, Actions> = new Map([
  ["/Binding", { create: createBinding }],
  ["authorization.k8s.io/SelfSubjectAccessReview", { create: reviewAccess }],
  ["authorization.k8s.io/SubjectAccessReview", { create: reviewAccess }],
  ["authorization.k8s.io/LocalSubjectAccessReview", { create: reviewAccess }],
  ["authorization.k8s.io/SelfSubjectRulesReview", { create: reviewRules }],
  ["authentication.k8s.io/SelfSubjectReview", { create: reviewSelf }],
  ["authentication.k8s.io/TokenReview", { create: reviewToken }],
]);

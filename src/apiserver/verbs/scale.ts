import {
  apiVersionOf,
  type KubeObject,
  type LabelSelector,
  labelMatcher,
  selectorMatcher,
  type Unstructured,
} from "../../api/index.ts";
import { type Steps, TimeSlice } from "../../base/index.ts";
import { fieldElement, fromScaleManagers, type ScaleMapping, toScaleManagers } from "../../patch/index.ts";
import { invalid } from "../../schema/index.ts";
import { convertAgain } from "../codec/converted-versions.ts";
import { versionObject } from "../codec/object-text.ts";
import { fieldAt, withField } from "../types/paths.ts";
import type { Resource, ScalePaths } from "../types/resource.ts";
import { badRequest, internal, invalidObject, StatusError } from "../types/status-error.ts";
import { type WriteOptions, writeOptions } from "../types/write-options.ts";
import { admitMutating, admitValidating } from "./admit.ts";
import { readConfig, withApplied } from "./apply.ts";
import { callBody, decodeObject } from "./decode.ts";
import type { Call, Engine } from "./engine.ts";
import { withManagers } from "./field-managers.ts";
import { find } from "./get.ts";
import { guaranteedUpdate, type UpdateAdmission } from "./guaranteed-update.ts";
import { patched } from "./patch.ts";
import { type PatchOptions, patchOptions, patchType } from "./patch-type.ts";
import { readPatch } from "./patched-value.ts";
import { checkName, checkUid, settleNamespace } from "./prepare.ts";
import { callFor } from "./sent-object.ts";
import type { ValueResult } from "./verb-result.ts";

/** Handles GET of an object's scale. */
export async function getScale(engine: Engine, call: Call): Promise<ValueResult> {
  const stored = find(engine, call);
  await convertAgain(call.resource, stored);
  return { type: "value", code: 200, value: scaleOf(call.resource, versionObject(call.resource, stored)) };
}

/** Handles PUT of an object's scale: changes its replicas. */
export async function updateScale(engine: Engine, call: Call): Promise<ValueResult> {
  const inner = scaleCall(call);
  const options = writeOptions(call.request, "UpdateOptions");
  const sent = await sentScale(call, inner, options);
  settleNamespace(call, sent);
  checkName(call, sent);
  return writeScale(engine, call, {
    options,
    *tryUpdate(live, parent) {
      checkUid(call, sent, { found: parent, dryRun: options.dryRun });
      return yield* withManagers(engine, inner, { next: sent, live, options });
    },
  });
}

/** Decodes a scale. kube-apiserver reports every decode error of a custom kind's scale with one message. */
async function sentScale({ resource }: Call, inner: Call, options: WriteOptions): Promise<KubeObject> {
  try {
    return decodeObject(inner, await callBody(inner), options.fieldValidation);
  } catch (error) {
    if (!resource.custom || !(error instanceof StatusError) || error.reason !== "BadRequest") throw error;
    throw badRequest('no kind is registered for the type v1.Scale in scheme "pkg/runtime/scheme.go:111"');
  }
}

/** Handles PATCH of an object's scale. */
export async function patchScale(engine: Engine, call: Call): Promise<ValueResult> {
  const type = patchType(call);
  const options = patchOptions(call, type);
  if (type === "apply") return applyScale(engine, call, options);
  find(engine, call); // an unknown object is reported before errors of the patch
  const inner = scaleCall(call);
  const body = readPatch(call, { type, fieldValidation: options.fieldValidation });
  return writeScale(engine, call, {
    options,
    *tryUpdate(live) {
      const next = yield* patched(inner, live, body);
      return yield* withManagers(engine, inner, { next, live, options });
    },
  });
}

async function applyScale(engine: Engine, call: Call, options: PatchOptions): Promise<ValueResult> {
  const inner = scaleCall(call);
  const config = await readConfig(inner);
  return writeScale(engine, call, {
    options,
    tryUpdate: (live) => withApplied(engine, inner, { ...config, options, live }),
  });
}

interface ScaleWrite {
  readonly options: WriteOptions;
  /** Returns the new scale, with its managed fields, for the current one. */
  tryUpdate(scale: KubeObject, parent: KubeObject): Steps<KubeObject>;
}

async function writeScale(
  engine: Engine,
  call: Call,
  { options, tryUpdate }: ScaleWrite,
): Promise<ValueResult> {
  const { resource } = call;
  const admission = scaleAdmission(engine, call, options);
  const steps = guaranteedUpdate(
    engine,
    { ...call, subresource: undefined },
    {
      options,
      *tryUpdate(parent) {
        const mapping = mappingOf(engine, resource);
        const managedFields = toScaleManagers(parent.metadata.managedFields, mapping);
        const live = scaleOf(resource, parent);
        const sent = yield* tryUpdate({ ...live, metadata: { ...live.metadata, managedFields } }, parent);
        const next = yield* admission.mutate(sent, live);
        if (!resource.custom) checkReplicas(next);
        return scaled(resource, parent, { scale: next, mapping });
      },
      // The scale has been mutated above.
      admission: {
        validate: (object, before) =>
          admission.validate(scaleOf(resource, object), scaleOf(resource, before)),
      },
    },
  );
  const version = await new TimeSlice(engine.clock).run(steps);
  await convertAgain(resource, version);
  return { type: "value", code: 200, value: scaleOf(resource, versionObject(resource, version)) };
}

/** Returns the webhooks of an update of the scale. They see scales. */
function scaleAdmission(engine: Engine, call: Call, options: WriteOptions): Required<UpdateAdmission> {
  const operation = "UPDATE";
  const { resource } = scaleCall(call);
  return {
    mutate: (object, oldObject) =>
      admitMutating(engine, call, { operation, object, oldObject, options, resource }),
    validate: (object, oldObject) => admitValidating(engine, call, { operation, object, oldObject, options }),
  };
}

function checkReplicas(scale: KubeObject): void {
  const replicas = Number(fieldAt(scale, ["spec", "replicas"]) ?? 0);
  if (replicas >= 0) return;
  const error = invalid("spec.replicas", replicas, "must be greater than or equal to 0");
  throw invalidObject({ group: "autoscaling", kind: "Scale" }, scale.metadata.name, [error]);
}

/** Returns the object with the replicas and the managed fields of its scale. */
function scaled(
  resource: Resource,
  parent: KubeObject,
  { scale, mapping }: { readonly scale: KubeObject; readonly mapping: ScaleMapping },
): KubeObject {
  const managers = { parent: parent.metadata.managedFields, scale: scale.metadata.managedFields };
  const { resourceVersion } = scale.metadata;
  const metadata = {
    ...parent.metadata,
    managedFields: fromScaleManagers(managers, mapping),
    resourceVersion: resourceVersion || parent.metadata.resourceVersion,
  };
  const replicas = fieldAt(scale, ["spec", "replicas"]) ?? 0;
  return withField({ ...parent, metadata }, stepsOf(pathsOf(resource).specReplicas), replicas);
}

/** Returns the scale of an object. */
function scaleOf(resource: Resource, parent: KubeObject): KubeObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = parent.metadata;
  const paths = pathsOf(resource);
  const replicas = fieldAt(parent, stepsOf(paths.specReplicas));
  if (replicas === undefined && resource.custom) {
    throw internal(`the spec replicas field "${paths.specReplicas}" does not exist`);
  }
  const selector = selectorText(resource, parent);
  const scale: Unstructured = {
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: replicas ? { replicas } : {},
    status: {
      replicas: fieldAt(parent, stepsOf(paths.statusReplicas)) ?? 0,
      ...(selector !== "" && { selector }),
    },
  };
  return scale;
}

const workloadPaths: ScalePaths = { specReplicas: ".spec.replicas", statusReplicas: ".status.replicas" };

const pathsOf = ({ scale }: Resource): ScalePaths => scale ?? workloadPaths;

const stepsOf = (path: string): string[] => path.split(".").filter((step) => step !== "");

function selectorText(resource: Resource, parent: KubeObject): string {
  if (resource.custom) {
    const path = resource.scale?.selector;
    return path === undefined ? "" : String(fieldAt(parent, stepsOf(path)) ?? "");
  }
  const selector = fieldAt(parent, ["spec", "selector"]) ?? {};
  // ReplicationControllers have a map of labels, all others a LabelSelector. The schema ensures it.
  return resource.kind === "ReplicationController"
    ? labelMatcher(selector as Record<string, string>).text
    : selectorMatcher(selector as LabelSelector).text;
}

function mappingOf({ registry }: Engine, resource: Resource): ScaleMapping {
  const versions = registry.list().filter(({ storagePrefix }) => storagePrefix === resource.storagePrefix);
  const path = (one: Resource) => stepsOf(pathsOf(one).specReplicas).map((step) => fieldElement(step));
  return {
    apiVersion: apiVersionOf(resource),
    replicas: new Map(versions.map((one) => [apiVersionOf(one), path(one)])),
  };
}

/** Returns the call as if the scale were an object of its own. */
function scaleCall(call: Call): Call {
  return callFor(call, { group: "autoscaling", version: "v1", kind: "Scale" });
}

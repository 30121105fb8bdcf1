import { isObject } from "./memory.ts";
import type { Json, JsonObject } from "./script.ts";

/** Returns a response without the known differences of the servers. The list is short, with a reason for each. */
export function withoutExceptions(answer: Json): Json {
  if (!isObject(answer)) return answer;
  return exceptions.reduce((rest, except) => except(rest), answer);
}

/** Returns a watch event without the known differences. */
export function eventWithoutExceptions(event: Json): Json {
  return isObject(event) && isObject(event.object)
    ? { ...event, object: policyOfNames(event.object) }
    : event;
}

const exceptions: ReadonlyArray<(answer: JsonObject) => JsonObject> = [
  causesInAnyOrder,
  faultsMetFirst,
  proseOfColumns,
  diffsOfPods,
  namesOfTexts,
  policyOfNames,
];

/** Go iterates maps in random order, so the causes of an error come in any order, also in its message. */
function causesInAnyOrder(answer: JsonObject): JsonObject {
  const { details, message } = answer;
  const causes = isObject(details) && Array.isArray(details.causes) ? details.causes : [];
  if (causes.length < 2 || !isObject(details)) return answer;
  return {
    ...answer,
    message: String(message).replace(/ is invalid: \[.*\]$/s, " is invalid: <causes>"),
    details: { ...details, causes: [...causes].sort(byText) },
  };
}

function byText(one: Json, other: Json): number {
  return JSON.stringify(one) < JSON.stringify(other) ? -1 : 1;
}

/** For the same reason, the error of an apply names any of the undeclared fields. */
function faultsMetFirst(answer: JsonObject): JsonObject {
  const { message } = answer;
  return typeof message === "string"
    ? { ...answer, message: message.replace(typedFaults, "$1 <faults>") }
    : answer;
}

const typedFaults =
  /^(failed to create typed patch object \(.*?\):).*(field not declared in schema|errors:).*$/s;

/** The embedded server has the names of columns without Kubernetes' descriptions. */
function proseOfColumns(answer: JsonObject): JsonObject {
  const { columnDefinitions } = answer;
  if (!Array.isArray(columnDefinitions)) return answer;
  return { ...answer, columnDefinitions: columnDefinitions.map(({ description: _, ...column }) => column) };
}

/** OpenAPI has no names for string types (`v1.ConditionStatus`), which Go's decoder uses in errors. */
function namesOfTexts(answer: JsonObject): JsonObject {
  const { details, message } = answer;
  if (typeof message !== "string" || !namedText.test(message)) return answer;
  const masked = (text: Json | undefined): string => String(text).replace(namedText, "$1<text>");
  const causes = isObject(details) && Array.isArray(details.causes) ? details.causes : [];
  return {
    ...answer,
    message: masked(message),
    ...(isObject(details) &&
      causes.length > 0 && {
        details: {
          ...details,
          causes: causes.map((cause) => ({ ...cause, message: masked(cause.message) })),
        },
      }),
  };
}

const namedText = /(json: cannot unmarshal \w+ into Go struct field \S+ of type )(?:v1\.\w+|string)$/;

/** The embedded server treats an empty list as absent and omits it from the diff of a Pod. */
function diffsOfPods(answer: JsonObject): JsonObject {
  const { details, message } = answer;
  const causes = isObject(details) && Array.isArray(details.causes) ? details.causes : [];
  if (!isObject(details) || !JSON.stringify(causes).includes(podChange)) return answer;
  return {
    ...answer,
    message: withoutDiff(String(message)),
    details: {
      ...details,
      causes: causes.map((cause) => ({ ...cause, message: withoutDiff(String(cause.message)) })),
    },
  };
}

const podChange = "pod updates may not change fields other than";

function withoutDiff(message: string): string {
  return message.replace(/\n@@.*$/s, "\n<diff>");
}

/** A Service that becomes an ExternalName keeps a policy that only watches show. The embedded server removes it. */
function policyOfNames(object: JsonObject): JsonObject {
  const { kind, spec } = object;
  if (kind !== "Service" || !isObject(spec) || spec.externalName === undefined) return object;
  const { internalTrafficPolicy: _, ...rest } = spec;
  return { ...withoutPolicyOwner(object), spec: spec.type === "ExternalName" ? rest : spec };
}

/** When such a Service changes back, the policy belongs to the manager of that change or to its earlier owner. */
function withoutPolicyOwner(object: JsonObject): JsonObject {
  const { metadata } = object;
  if (!isObject(metadata) || !Array.isArray(metadata.managedFields)) return object;
  const managedFields = metadata.managedFields.map((manager: JsonObject) => {
    const { fieldsV1 } = manager;
    const spec = isObject(fieldsV1) ? fieldsV1["f:spec"] : undefined;
    if (!isObject(fieldsV1) || !isObject(spec)) return manager;
    const { "f:internalTrafficPolicy": _, ...fields } = spec;
    return { ...manager, fieldsV1: { ...fieldsV1, "f:spec": fields } };
  });
  return { ...object, metadata: { ...metadata, managedFields } };
}

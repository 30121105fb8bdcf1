import type { KubeObject } from "../../api/index.ts";
import { type Steps, TimeSlice } from "../../base/index.ts";
import {
  conversionProblem,
  DecodeError,
  invalid,
  type StrictProblem,
  strictText,
  typedSchema,
} from "../../schema/index.ts";
import { plainDocument } from "../codec/document.ts";
import { typeMetaProblem } from "../codec/type-meta.ts";
import type { Decoded, Resource } from "../types/resource.ts";
import { invalidObject } from "../types/status-error.ts";
import { dedupeOwners } from "../validation/owner-references.ts";
import { applyPatch, withBase64Prefix } from "./apply.ts";
import { customKindError, kindProblem } from "./decode.ts";
import type { Call, Engine } from "./engine.ts";
import { withManagers } from "./field-managers.ts";
import { find } from "./get.ts";
import { guaranteedUpdate } from "./guaranteed-update.ts";
import { patchOptions, patchType } from "./patch-type.ts";
import { type PatchBody, patchedValue, patchProblems, printedPatch, readPatch } from "./patched-value.ts";
import { checkName, settleNamespace } from "./prepare.ts";
import type { ObjectResult } from "./verb-result.ts";

/** Handles PATCH: changes an object, or the part of it that the subresource exposes. */
export async function patch(engine: Engine, call: Call): Promise<ObjectResult> {
  const type = patchType(call);
  const options = patchOptions(call, type);
  if (type === "apply") return applyPatch(engine, call, options);
  find(engine, call); // an unknown object is reported before errors of the patch
  const slice = new TimeSlice(engine.clock);
  const body = readPatch(call, { type, fieldValidation: options.fieldValidation });
  if (slice.over) await slice.pause();
  const update = {
    options,
    *tryUpdate(current: KubeObject): Steps<KubeObject> {
      const object = yield* patched(call, current, body);
      dedupeOwners(object.metadata, call.warnings);
      return yield* withManagers(engine, call, { next: object, live: current, options });
    },
  };
  const version = await slice.run(guaranteedUpdate(engine, call, update));
  return { type: "object", code: 200, version };
}

/** Returns the patched object, decoded as if it had been sent. */
export function* patched(call: Call, current: KubeObject, body: PatchBody): Steps<KubeObject> {
  const value = patchedValue(current, body, call.resource.node);
  yield;
  const refuse = (why: string): Error => {
    const error = invalid("patch", printedPatch({ current, resource: call.resource }, body), why);
    return invalidObject({ group: "", kind: "" }, "", [error]);
  };
  const object = decodePatched(call, value, { body, refuse });
  yield;
  settleNamespace(call, object);
  checkName(call, object);
  return object;
}

interface PatchContext {
  readonly body: PatchBody;
  refuse(why: string): Error;
}

function decodePatched(
  { resource, warnings }: Call,
  value: unknown,
  { body, refuse }: PatchContext,
): KubeObject {
  const problem = typeMetaProblem(value) ?? (resource.custom ? undefined : kindProblem(resource, value));
  if (problem !== undefined) throw refuse(problem);
  const wrong = resource.custom ? customKindError(resource, value) : undefined;
  if (wrong) throw wrong;
  const { object, problems } = decoded(resource, value, { body, refuse });
  const texts =
    body.fieldValidation === "Ignore" ? [] : [...patchProblems(body), ...problemTexts(problems, body)];
  if (body.fieldValidation === "Strict" && texts.length > 0) {
    throw refuse(`strict decoding error: ${texts.join(", ")}`);
  }
  for (const text of texts) warnings.add(text);
  return object;
}

/** Returns the texts of problems. After a strategic merge patch, kube-apiserver checks the fields sorted by name. */
function problemTexts(problems: readonly StrictProblem[], { type }: PatchBody): string[] {
  const texts = problems.map(strictText);
  return type === "strategic" ? texts.sort() : texts;
}

function decoded(resource: Resource, value: unknown, { body, refuse }: PatchContext): Decoded {
  try {
    // Values in a JSON patch are decoded as they were written, with repeated keys.
    const { notes } = body.type === "json" ? body.document : plainDocument(value);
    return resource.codec.decode({ ...plainDocument(value), notes });
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    if (body.type !== "strategic") throw refuse(error.message);
    const type = typedSchema(resource);
    throw refuse(withBase64Prefix((type && conversionProblem(value, type)) ?? error.message));
  }
}

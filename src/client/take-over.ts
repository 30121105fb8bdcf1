import type { KubeObject } from "../api/index.ts";
import { isConflict } from "../transport/index.ts";
import { type FieldMove, movedFields } from "./moved-fields.ts";
import type { JsonPatchStep } from "./patch.ts";

/** The requests of an apply that takes over the fields of other field managers. */
export interface TakeOver<T extends KubeObject> extends FieldMove {
  readonly apply: () => Promise<T>;
  /** Reads the object from the server. */
  readonly read: () => Promise<T>;
  readonly patch: (steps: readonly JsonPatchStep[]) => Promise<unknown>;
}

/**
 * Applies. If a former field manager still owns fields in the response, moves them and applies again. The second apply
 * removes the fields that are no longer applied. If no fields have to be moved, which is the normal case, the first
 * apply is the only request.
 *
 * Moving is a patch for one resource version. If the object has changed meanwhile, or a former field manager has
 * written again, it starts over, up to three times. A replica of an older version may continue to write under the
 * former name for a while. Then the apply still succeeds, and a later apply takes over.
 */
export async function applyTakingOver<T extends KubeObject>(requests: TakeOver<T>): Promise<T> {
  for (let moves = 0; ; moves += 1) {
    const { object, refusal } = await applied(requests);
    const managedFields =
      moves < maxMoves ? movedFields(object.metadata.managedFields ?? [], requests) : undefined;
    if (managedFields) await move(requests, object, { managedFields, isLast: moves === maxMoves - 1 });
    else if (refusal) throw refusal;
    else return object;
  }
}

/** Moves the fields. Replacing the resource version, unlike testing it, causes a conflict if the object has changed. */
async function move(
  { patch }: Pick<TakeOver<KubeObject>, "patch">,
  { metadata }: KubeObject,
  { managedFields, isLast }: { readonly managedFields: unknown; readonly isLast: boolean },
): Promise<void> {
  try {
    await patch([
      { op: "replace", path: "/metadata/managedFields", value: managedFields },
      { op: "replace", path: "/metadata/resourceVersion", value: metadata.resourceVersion },
    ]);
  } catch (error) {
    if (!isConflict(error) || isLast) throw error;
  }
}

/**
 * Applies, and reads the object instead if there is a conflict, because without `force` the former fields may conflict.
 */
async function applied<T extends KubeObject>({ apply, read }: TakeOver<T>): Promise<Applied<T>> {
  try {
    return { object: await apply() };
  } catch (refusal) {
    if (!isConflict(refusal)) throw refusal;
    return { object: await read(), refusal };
  }
}

interface Applied<T> {
  readonly object: T;
  /** The conflict of the apply, if the object was read instead. */
  readonly refusal?: Error;
}

const maxMoves = 3;

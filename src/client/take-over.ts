import type { KubeObject } from "../api/index.ts";
import { isConflict } from "../transport/index.ts";
import { type FieldMove, movedFields } from "./moved-fields.ts";
import type { JsonPatchStep } from "./options.ts";

/** The requests of an apply that takes over the fields of other field managers. */
export interface TakeOver<T extends KubeObject> extends FieldMove {
  readonly apply: () => Promise<T>;
  /** Reads the object from the server. */
  readonly read: () => Promise<T>;
  readonly patch: (steps: readonly JsonPatchStep[]) => Promise<unknown>;
}

/**
 * Applies, and if one of the former field managers still has fields in the response, moves them and applies again. The second
 * apply removes the fields that are no longer applied. If there is nothing to move, which is the steady state, the first
 * apply is the only request.
 *
 * Moving is a patch that holds for one resource version. If the object has changed meanwhile, or a former field manager has
 * written again, it starts over, three times at most. A replica of an older version may go on writing under the former name
 * for a while: then the apply still succeeds, and a later one takes over.
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

/** Replacing the resource version, unlike testing it, is answered with a conflict if the object has changed. */
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

/** Without `force` an apply may conflict with the very fields that are to be taken over. */
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
  /** Why the apply was refused, and the object was read instead. */
  readonly refusal?: Error;
}

const maxMoves = 3;

import { keyText } from "../api/index.ts";
import type { Controller, Requeue } from "../controller/index.ts";

/** Runs one reconcile or cleanup. `reconcile` names it by controller and key: `website default/a`. */
export type AroundReconcile = (
  reconcile: string,
  run: () => Promise<Requeue | undefined>,
) => Promise<Requeue | undefined>;

/** Returns a copy of the controller whose reconciles and cleanups run inside `around`. */
export function aroundReconciles(controller: Controller, around: AroundReconcile): Controller {
  const { name, options } = controller;
  const { reconcile, cleanup } = options;
  const observed: Pick<Controller["options"], "reconcile"> = {
    reconcile: (key, context) =>
      around(`${name} ${keyText(key)}`, async () => (await reconcile(key, context)) ?? undefined),
  };
  if (!cleanup) return { ...controller, options: { ...options, ...observed } };
  const observedCleanup: typeof cleanup = (object, context) =>
    around(`${name} ${keyText(object.metadata)}`, async () => (await cleanup(object, context)) ?? undefined);
  return { ...controller, options: { ...options, ...observed, cleanup: observedCleanup } };
}

import * as z from "zod";
import { listMap } from "../crd/index.ts";
import { quantityPattern } from "./built-in-schema.ts";

/** A zod schema of an integer or a string. */
export type IntOrStringSchema = z.ZodUnion<readonly [z.ZodInt32, z.ZodString]>;

/** Returns the schema of an integer or a string, such as the number or name of a port, or `"25%"`. */
export function intOrString(): IntOrStringSchema {
  return z.union([z.int32(), z.string()]);
}

/**
 * Returns the schema of a quantity such as `"500m"`, `"1Gi"` or `2`. The API server stores it as it was written.
 * Compare and add quantities with the functions of `trimtab/api`.
 */
export function quantity(): IntOrStringSchema {
  return z.union([z.int32(), z.string().regex(new RegExp(quantityPattern))]);
}

/** Returns the schema of a duration in Go's notation, such as `"1h30m"` or `"500ms"`. `parseDuration` reads it. */
export function duration(): z.ZodString {
  return z.string().regex(/^(0|([0-9]+(\.[0-9]+)?(ns|us|µs|ms|s|m|h))+)$/);
}

/** A zod schema of a condition as in the built-in kinds. */
export type ConditionSchema = z.ZodObject<{
  type: z.ZodString;
  status: z.ZodEnum<{ True: "True"; False: "False"; Unknown: "Unknown" }>;
  reason: z.ZodString;
  message: z.ZodString;
  lastTransitionTime: z.ZodString;
  observedGeneration: z.ZodOptional<z.ZodInt>;
}>;

/**
 * Returns the schema of `status.conditions`: a list with one condition per `type`, each with the limits that Kubernetes
 * has for its own conditions. Write them with `withCondition` of `trimtab/api`.
 */
export function conditions(): z.ZodArray<ConditionSchema> {
  return z.array(condition()).meta(listMap("type"));
}

function condition(): ConditionSchema {
  return z.object({
    type: z.string().max(316).regex(conditionType),
    status: z.enum(["True", "False", "Unknown"]),
    reason: z
      .string()
      .min(1)
      .max(1024)
      .regex(/^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/),
    message: z.string().max(32_768),
    lastTransitionTime: z.string().meta({ format: "date-time" }),
    observedGeneration: z.int().min(0).optional(),
  });
}

const conditionType =
  /^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$/;

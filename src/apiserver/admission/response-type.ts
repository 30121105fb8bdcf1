import type { GoFields, GoType } from "./go-types.ts";

const text = (name = "string"): GoType => ({ type: "string", name });
const int32: GoType = { type: "int32", name: "int32" };
const struct = (name: string, fields: GoFields): GoType => ({ type: "struct", name, fields });

const statusCause = struct("v1.StatusCause", {
  reason: text("v1.CauseType"),
  message: text(),
  field: text(),
});

const statusDetails = struct("v1.StatusDetails", {
  name: text(),
  group: text(),
  kind: text(),
  uid: text("types.UID"),
  causes: { type: "list", name: "[]v1.StatusCause", items: statusCause },
  retryAfterSeconds: int32,
});

const status = struct("v1.Status", {
  metadata: struct("v1.ListMeta", {}),
  status: text(),
  message: text(),
  reason: text("v1.StatusReason"),
  details: statusDetails,
  code: int32,
});

/** The response of an AdmissionReview. */
export const responseType: GoType = struct("v1.AdmissionResponse", {
  uid: text("types.UID"),
  allowed: { type: "bool", name: "bool" },
  status,
  patch: text("[]uint8"),
  patchType: text("v1.PatchType"),
  auditAnnotations: { type: "map", name: "map[string]string", items: text() },
  warnings: { type: "list", name: "[]string", items: text() },
});

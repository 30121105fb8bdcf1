import type { CertificateSigningRequest } from "../../api/types/certificates/v1.ts";
import { humanDuration } from "./age.ts";
import { age, name, type Printable, type Printers, printer, text } from "./column.ts";

export const certificates: Printers = {
  CertificateSigningRequest: printer<CertificateSigningRequest>(
    name,
    age,
    text("SignerName", ({ spec }) => spec?.signerName || "<none>"),
    text("Requestor", ({ spec }) => spec?.username ?? ""),
    text("RequestedDuration", ({ spec }) =>
      spec?.expirationSeconds === undefined ? "<none>" : humanDuration(spec.expirationSeconds * 1000),
    ),
    text("Condition", conditionOf),
  ),
};

function conditionOf({ status }: Printable<CertificateSigningRequest>): string {
  const has = (expected: string): boolean => (status?.conditions ?? []).some(({ type }) => type === expected);
  const decision = ["Denied", "Approved"].find(has) ?? "Pending";
  return [decision, ...(has("Failed") ? ["Failed"] : []), ...(status?.certificate ? ["Issued"] : [])].join(
    ",",
  );
}

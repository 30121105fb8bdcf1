import type { CertificateSigningRequest } from "../../api/types/certificates/v1.ts";
import { humanDuration } from "./age.ts";
import { age, name, type Printers, printer, type Shown, text } from "./column.ts";

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

function conditionOf({ status }: Shown<CertificateSigningRequest>): string {
  const has = (wanted: string): boolean => (status?.conditions ?? []).some(({ type }) => type === wanted);
  const verdict = ["Denied", "Approved"].find(has) ?? "Pending";
  return [verdict, ...(has("Failed") ? ["Failed"] : []), ...(status?.certificate ? ["Issued"] : [])].join(
    ",",
  );
}

import type { CertificateSigningRequest } from "../../api/types/certificates/v1.ts";
import { type FieldError, invalid } from "../../schema/index.ts";
import { entry, type KindEntry } from "./kind-strategy.ts";
import { missing } from "./value-errors.ts";

export const certificates: readonly KindEntry[] = [
  entry<CertificateSigningRequest>("certificates.k8s.io/CertificateSigningRequest", {
    /** Who asks is for the server to say. */
    prepareCreate({ spec }, { user }) {
      const { username, uid, groups, extra } = user;
      Object.assign(
        spec,
        { username, groups: [...groups] },
        uid && { uid },
        extra && { extra: { ...extra } },
      );
    },
    prepareUpdate(request, before) {
      request.spec = before.spec;
    },
    validate: ({ spec }) => [
      ...requestErrors(spec.request),
      ...missing(spec.usages, "spec.usages"),
      ...missing(spec.signerName, "spec.signerName"),
    ],
    parts: { approval: { take: onlyConditions } },
    statusKeeps: ["spec", "status.conditions"],
    fields: { "spec.signerName": ({ spec }) => spec.signerName },
    unknownField: (field) => `field label not supported: ${field}`,
  }),
];

function requestErrors(request: string | undefined): FieldError[] {
  const text = Buffer.from(request ?? "", "base64").toString();
  if (/-----BEGIN CERTIFICATE REQUEST-----[\s\S]*-----END CERTIFICATE REQUEST-----/.test(text)) return [];
  return [invalid("spec.request", request || null, "PEM block type must be CERTIFICATE REQUEST")];
}

/** Who approves or denies says so in the conditions, and nowhere else. */
function onlyConditions(
  request: CertificateSigningRequest,
  before: CertificateSigningRequest,
): CertificateSigningRequest {
  const { conditions } = request.status ?? {};
  return { ...request, spec: before.spec, status: { ...before.status, conditions } };
}

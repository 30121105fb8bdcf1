import { type RefusedRow, refusedInWords } from "../refused-row.ts";

/** Path, object, and the server's error. */
const rows: readonly RefusedRow[] = [
  [
    "/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles",
    { rules: [{}, { verbs: ["get"], nonResourceURLs: ["/x"] }] },
    'Role.rbac.authorization.k8s.io "a" is invalid: [rules[0].verbs: Required value: verbs must contain at least one value, rules[0].apiGroups: Required value: resource rules must supply at least one api group, rules[0].resources: Required value: resource rules must supply at least one resource, rules[1].nonResourceURLs: Invalid value: ["/x"]: namespaced rules cannot apply to non-resource URLs]',
  ],
  [
    "/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/rolebindings",
    {
      roleRef: { kind: "Role", name: "a/b", apiGroup: "x" },
      subjects: [{ kind: "ServiceAccount" }, { kind: "X", name: "y" }],
    },
    'RoleBinding.rbac.authorization.k8s.io "a" is invalid: [roleRef.apiGroup: Unsupported value: "x": supported values: "rbac.authorization.k8s.io", roleRef.name: Invalid value: "a/b": may not contain \'/\', subjects[0].name: Required value, subjects[1].kind: Unsupported value: "X": supported values: "ServiceAccount", "User", "Group"]',
  ],
  [
    "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
    { webhooks: [{}] },
    'ValidatingWebhookConfiguration.admissionregistration.k8s.io "a" is invalid: [webhooks[0].name: Required value, webhooks[0].sideEffects: Required value: must specify one of None, NoneOnDryRun, webhooks[0].clientConfig: Required value: exactly one of url or service is required, webhooks[0].admissionReviewVersions: Required value: must specify one of v1, v1beta1]',
  ],
  [
    "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
    {
      webhooks: [
        {
          name: "a",
          clientConfig: { url: "http://x" },
          sideEffects: "Some",
          admissionReviewVersions: ["v2"],
          timeoutSeconds: 31,
          rules: [{}],
        },
      ],
    },
    'ValidatingWebhookConfiguration.admissionregistration.k8s.io "a" is invalid: [webhooks[0].name: Invalid value: "a": should be a domain with at least three segments separated by dots, webhooks[0].rules[0].operations: Required value, webhooks[0].rules[0].apiGroups: Required value, webhooks[0].rules[0].apiVersions: Required value, webhooks[0].rules[0].resources: Required value, webhooks[0].sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun", webhooks[0].timeoutSeconds: Invalid value: 31: the timeout value must be between 1 and 30 seconds, webhooks[0].clientConfig.url: Invalid value: "http": \'https\' is the only allowed URL scheme; desired format: https://host[/path], webhooks[0].admissionReviewVersions: Invalid value: ["v2"]: must include at least one of v1, v1beta1]',
  ],
  [
    "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies",
    {},
    'ValidatingAdmissionPolicy.admissionregistration.k8s.io "a" is invalid: [spec.matchConstraints: Required value, spec.validations: Required value: validations or auditAnnotations must contain at least one item, spec.auditAnnotations: Required value: validations or auditAnnotations must contain at least one item]',
  ],
  [
    "/apis/scheduling.k8s.io/v1/priorityclasses",
    { value: 5, preemptionPolicy: "X" },
    'PriorityClass.scheduling.k8s.io "a" is invalid: preemptionPolicy: Unsupported value: "X": supported values: "PreemptLowerPriority", "Never"',
  ],
  [
    "/apis/node.k8s.io/v1/runtimeclasses",
    {},
    'RuntimeClass.node.k8s.io "a" is invalid: handler: Required value',
  ],
  [
    "/apis/certificates.k8s.io/v1/certificatesigningrequests",
    {},
    'CertificateSigningRequest.certificates.k8s.io "a" is invalid: [spec.request: Invalid value: null: PEM block type must be CERTIFICATE REQUEST, spec.usages: Required value, spec.signerName: Required value]',
  ],
  [
    "/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas",
    {},
    'FlowSchema.flowcontrol.apiserver.k8s.io "a" is invalid: spec.priorityLevelConfiguration.name: Required value: must reference a priority level',
  ],
  [
    "/apis/resource.k8s.io/v1/resourceslices",
    {},
    'ResourceSlice.resource.k8s.io "a" is invalid: [spec.driver: Required value, spec.pool.name: Required value, spec.pool.resourceSliceCount: Invalid value: 0: must be greater than zero, spec: Required value: exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required]',
  ],
  [
    "/apis/coordination.k8s.io/v1/namespaces/{ns}/leases",
    { spec: { leaseDurationSeconds: 0, leaseTransitions: -1 } },
    'Lease.coordination.k8s.io "a" is invalid: [spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0, spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0]',
  ],
  [
    "/apis/events.k8s.io/v1/namespaces/{ns}/events",
    {},
    'Event "a" is invalid: [involvedObject.namespace: Invalid value: "": does not match event.namespace, eventTime: Required value, type: Invalid value: "": has invalid value: ]',
  ],
  [
    "/api/v1/namespaces/{ns}/events",
    { involvedObject: { namespace: "other" } },
    'Event "a" is invalid: involvedObject.namespace: Invalid value: "other": does not match event.namespace',
  ],
];

for (const row of rows) refusedInWords(row);

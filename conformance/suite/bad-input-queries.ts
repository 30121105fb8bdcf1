import { refused } from "../bad-request.ts";
import { scenario } from "../scenario.ts";
import { wire } from "../wire.ts";

type Refused = ReadonlyArray<
  readonly [query: string, code: number, reason: string | undefined, message: string]
>;

const lists: Refused = [
  ["limit=abc", 400, "BadRequest", 'strconv.ParseInt: parsing "abc": invalid syntax'],
  ["limit=1.5", 400, "BadRequest", 'strconv.ParseInt: parsing "1.5": invalid syntax'],
  [
    "limit=99999999999999999999",
    400,
    "BadRequest",
    'strconv.ParseInt: parsing "99999999999999999999": value out of range',
  ],
  ["limit=", 400, "BadRequest", 'strconv.ParseInt: parsing "": invalid syntax'],
  [
    "continue=junk",
    400,
    "BadRequest",
    "invalid continue token: continue key is not valid: invalid character '\\u008e' looking for beginning of value",
  ],
  [
    "continue=%00",
    400,
    "BadRequest",
    "invalid continue token: continue key is not valid: illegal base64 data at input byte 0",
  ],
  [
    "limit=1&continue=e30",
    400,
    "BadRequest",
    "invalid continue token: continue key is not valid: server does not recognize this encoded version ",
  ],
  ["labelSelector=%3D%3D%3D", 400, "BadRequest", "found '==', expected: !, identifier, or 'end of string'"],
  [
    "labelSelector=a+b",
    400,
    "BadRequest",
    "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt",
  ],
  [
    "labelSelector=a+in+(",
    400,
    "BadRequest",
    "unable to parse requirement: found '', expected: ',', ')' or identifier",
  ],
  [
    "fieldSelector=x%3Dy",
    400,
    "BadRequest",
    '"x" is not a known field selector: only "metadata.name", "metadata.namespace"',
  ],
  [
    "fieldSelector=metadata.name",
    400,
    "BadRequest",
    "invalid selector: 'metadata.name'; can't understand 'metadata.name'",
  ],
  [
    "resourceVersion=abc",
    400,
    "BadRequest",
    'invalid resource version: resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
  ],
  [
    "resourceVersion=-1",
    400,
    "BadRequest",
    'invalid resource version: resourceVersion: Invalid value: "-1": strconv.ParseUint: parsing "-1": invalid syntax',
  ],
  [
    "resourceVersion=99999999999999999999999",
    400,
    "BadRequest",
    'invalid resource version: resourceVersion: Invalid value: "99999999999999999999999": strconv.ParseUint: parsing "99999999999999999999999": value out of range',
  ],
  [
    "resourceVersion=1.5",
    400,
    "BadRequest",
    'invalid resource version: resourceVersion: Invalid value: "1.5": strconv.ParseUint: parsing "1.5": invalid syntax',
  ],
  [
    "resourceVersionMatch=Frob",
    422,
    "Invalid",
    'ListOptions.meta.k8s.io "" is invalid: [resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided, resourceVersionMatch: Unsupported value: "Frob": supported values: "Exact", "NotOlderThan", ""]',
  ],
  [
    "resourceVersionMatch=Exact",
    422,
    "Invalid",
    'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
  ],
  [
    "resourceVersionMatch=Exact&resourceVersion=0",
    422,
    "Invalid",
    'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
  ],
  [
    "resourceVersion=1&continue=junk",
    400,
    "BadRequest",
    "invalid continue token: continue key is not valid: invalid character '\\u008e' looking for beginning of value",
  ],
  ["timeoutSeconds=abc", 400, "BadRequest", 'strconv.ParseInt: parsing "abc": invalid syntax'],
  [
    "timeout=junk",
    400,
    "BadRequest",
    'invalid timeout specified in the request URL - time: invalid duration "junk"',
  ],
  [
    "sendInitialEvents=true",
    422,
    "Invalid",
    'ListOptions.meta.k8s.io "" is invalid: sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list',
  ],
];

const watches: Refused = [
  [
    "watch=true&resourceVersion=abc",
    500,
    undefined,
    'resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
  ],
  [
    "watch=1&sendInitialEvents=true",
    422,
    "Invalid",
    'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
  ],
  [
    "watch=1&sendInitialEvents=junk&timeoutSeconds=1",
    422,
    "Invalid",
    'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
  ],
  [
    "watch=1&resourceVersionMatch=Exact&sendInitialEvents=true",
    422,
    "Invalid",
    'ListOptions.meta.k8s.io "" is invalid: [resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan, resourceVersionMatch: Unsupported value: "Exact": supported values: "NotOlderThan"]',
  ],
  [
    "watch=1&continue=x",
    422,
    "Invalid",
    'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided',
  ],
];

const creations: Refused = [
  [
    "dryRun=junk",
    422,
    "Invalid",
    'CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["junk"]: supported values: "All"',
  ],
  [
    "dryRun=",
    422,
    "Invalid",
    'CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: [""]: supported values: "All"',
  ],
  [
    "dryRun=All&dryRun=junk",
    422,
    "Invalid",
    'CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["All","junk"]: supported values: "All"',
  ],
  [
    "fieldManager=xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    422,
    "Invalid",
    'CreateOptions.meta.k8s.io "" is invalid: fieldManager: Too long: may not be more than 128 bytes',
  ],
  [
    "fieldManager=%00",
    422,
    "Invalid",
    'CreateOptions.meta.k8s.io "" is invalid: fieldManager: Invalid value: "\\x00": invalid character U+0000 (at position 0)',
  ],
  [
    "fieldValidation=junk",
    422,
    "Invalid",
    'CreateOptions.meta.k8s.io "" is invalid: fieldValidation: Unsupported value: "junk": supported values: "", "Ignore", "Strict", "Warn"',
  ],
  [
    "fieldValidation=strict",
    422,
    "Invalid",
    'CreateOptions.meta.k8s.io "" is invalid: fieldValidation: Unsupported value: "strict": supported values: "", "Ignore", "Strict", "Warn"',
  ],
];

const deletions: Refused = [
  ["gracePeriodSeconds=abc", 400, "BadRequest", 'strconv.ParseInt: parsing "abc": invalid syntax'],
  [
    "propagationPolicy=Frob",
    422,
    "Invalid",
    'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "Frob": supported values: "Foreground", "Background", "Orphan", "nil"',
  ],
  [
    "propagationPolicy=Orphan&orphanDependents=true",
    422,
    "Invalid",
    'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Invalid value: "Orphan": orphanDependents and deletionPropagation cannot be both set',
  ],
  [
    "dryRun=junk",
    422,
    "Invalid",
    'DeleteOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["junk"]: supported values: "All"',
  ],
];

for (const [query, code, reason, message] of [...lists, ...watches]) {
  scenario(`a list with ${query} is refused`, async ({ client, namespace, expect }) => {
    const response = await wire(client, `GET /api/v1/namespaces/${namespace}/configmaps?${query}`);
    expect(response.status).toBe(code);
    expect(response.body).toMatchObject(refused(code, reason, message));
  });
}

for (const [query, code, reason, message] of creations) {
  scenario(`a creation with ${query} is refused`, async ({ client, namespace, expect }) => {
    const body = { metadata: { name: "a" } };
    const response = await wire(client, `POST /api/v1/namespaces/${namespace}/configmaps?${query}`, { body });
    expect(response.body).toMatchObject(refused(code, reason, message));
  });
}

for (const [query, code, reason, message] of deletions) {
  scenario(`a deletion with ${query} is refused`, async ({ client, namespace, expect }) => {
    const path = `/api/v1/namespaces/${namespace}/configmaps` as const;
    await wire(client, `POST ${path}`, { body: { metadata: { name: "a" } } });
    const response = await wire(client, `DELETE ${path}/a?${query}`);
    expect(response.body).toMatchObject(refused(code, reason, message));
  });
}

for (const query of [
  "a=%zz",
  "%zz=a",
  "labelSelector=%zz",
  "limit=abc;a=b",
  "__proto__=1",
  "constructor=1",
]) {
  scenario(`an invalid or unknown parameter, ${query}, is ignored`, async (stage) => {
    const { client, namespace, expect } = stage;
    const response = await wire(client, `GET /api/v1/namespaces/${namespace}/configmaps?${query}`);
    expect(response.body).toMatchObject({ kind: "ConfigMapList" });
  });
}

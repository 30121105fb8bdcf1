import { expect, test, vi } from "vitest";
import { type LogEntry, loggerTo, VirtualClock } from "../base/index.ts";
import type { AdmissionHook } from "./admission-hook.ts";
import type { AdmissionResponse, AdmissionReview } from "./admission-review.ts";
import { Denied } from "./denied.ts";
import { rawWebhook } from "./raw-webhook.ts";
import { reviewAdmission } from "./review-admission.ts";
import { type WebhookHandlers, type WebhookOptions, webhook } from "./webhook.ts";
import { reviewText, Website, website } from "./website.fixture.ts";

/** Calls the first hook of a webhook on Websites with a review. */
class Reviewed {
  readonly logged: LogEntry[] = [];
  readonly clock: VirtualClock = new VirtualClock();
  readonly hook: AdmissionHook;

  constructor(handlers: (WebhookHandlers<Website> & WebhookOptions) | AdmissionHook) {
    const [hook] = "admit" in handlers ? [handlers] : webhook(Website, handlers).hooks;
    if (!hook) throw new Error("expected a hook");
    this.hook = hook;
  }

  review(text = reviewText()): Promise<AdmissionReview> {
    const log = loggerTo((entry) => this.logged.push(entry));
    return reviewAdmission(this.hook, text, { log, clock: this.clock, timeoutMs: 10_000 });
  }

  async response(text?: string): Promise<AdmissionResponse> {
    return (await this.review(text)).response;
  }
}

function patchIn({ patch }: AdmissionResponse): unknown {
  return patch === undefined ? undefined : JSON.parse(Buffer.from(patch, "base64").toString());
}

test.each(["admission.k8s.io/v1", "admission.k8s.io/v1beta1"])(
  "a review of %s is answered in its version",
  async (version) => {
    expect(await new Reviewed({ validate() {} }).review(reviewText({}, version))).toEqual({
      apiVersion: version,
      kind: "AdmissionReview",
      response: { uid: "705ab4f5", allowed: true, status: { code: 200 } },
    });
  },
);

test("a review without apiVersion and kind is answered as v1", async () => {
  const { request } = JSON.parse(reviewText()) as { request: object };
  const { apiVersion } = await new Reviewed({ validate() {} }).review(JSON.stringify({ request }));
  expect(apiVersion).toBe("admission.k8s.io/v1");
});

test("a default becomes a JSON patch with the change only, and unknown fields stay", async () => {
  const object = { ...website(), status: { unknown: [9007199254740993n.toString()] }, extra: { kept: true } };
  const response = await new Reviewed({
    default(site) {
      site.spec.replicas ??= 1;
      site.metadata.labels = { ...site.metadata.labels, team: "web" };
    },
  }).response(reviewText({ object }));
  expect(response).toMatchObject({ allowed: true, patchType: "JSONPatch" });
  expect(patchIn(response)).toEqual([
    { op: "add", path: "/metadata/labels", value: { team: "web" } },
    { op: "add", path: "/spec/replicas", value: 1 },
  ]);
});

test("an object that a default leaves as it is yields no patch", async () => {
  expect(await new Reviewed({ default() {} }).response()).toEqual({
    uid: "705ab4f5",
    allowed: true,
    status: { code: 200 },
  });
});

test("an integer beyond 2^53 stays exact if it is left alone, and is refused if the patch would contain it", async () => {
  const text = reviewText().replace('"image":', '"big":9007199254740993,"image":');
  const near = new Reviewed({ default: ({ spec }) => void Object.assign(spec, { replicas: 1 }) });
  expect(patchIn(await near.response(text))).toEqual([{ op: "add", path: "/spec/replicas", value: 1 }]);
  const moved = new Reviewed({ default: (site) => void Object.assign(site, { copy: site.spec }) });
  expect(await moved.response(text)).toMatchObject({
    allowed: false,
    status: { code: 500, message: expect.stringContaining("got 9007199254740992 at /copy") },
  });
});

test("a handler that writes to __proto__ changes neither the patch nor the process", async () => {
  const object = JSON.parse('{"__proto__":{"polluted":1},"kind":"Website"}') as object;
  const response = await new Reviewed({
    default(site) {
      const labels: Record<string, unknown> = {};
      Object.assign(labels, JSON.parse('{"__proto__":{"polluted":1}}')); // sets the prototype of `labels`
      Object.assign(site, { labels });
    },
  }).response(reviewText({ object: { ...website(), ...object } }));
  expect(patchIn(response)).toEqual([{ op: "add", path: "/labels", value: {} }]);
  expect(({} as { polluted?: number }).polluted).toBeUndefined();
});

test("validate gets both objects, the operation, the user and whether it is a dry run", async () => {
  const seen = vi.fn();
  const { hook } = new Reviewed({ validate: seen });
  const reviewed = new Reviewed(hook);
  const oldObject = website({ domain: "old.example.dev" });
  await reviewed.response(reviewText({ operation: "UPDATE", oldObject, dryRun: true }));
  expect(seen.mock.calls[0]?.[0]).toMatchObject({
    object: website(),
    previous: oldObject,
    operation: "UPDATE",
    user: { username: "jane", groups: ["dev"] },
    dryRun: true,
  });
});

test("Denied is the status of the response, with warnings and audit annotations", async () => {
  const response = await new Reviewed({
    validate({ warn, audit }) {
      warn("spec.image: a moving tag");
      audit("rule", "immutable-domain");
      throw new Denied("is immutable", { field: "spec.domain" });
    },
  }).response();
  expect(response).toEqual({
    uid: "705ab4f5",
    allowed: false,
    warnings: ["spec.image: a moving tag"],
    auditAnnotations: { rule: "immutable-domain" },
    status: {
      metadata: {},
      status: "Failure",
      message: "spec.domain: is immutable",
      reason: "Forbidden",
      details: { causes: [{ reason: "FieldValueInvalid", message: "is immutable", field: "spec.domain" }] },
      code: 403,
    },
  });
});

test.each(["CREATE", "UPDATE", "DELETE"])("warnings are sent with every outcome of %s", async (operation) => {
  const objects = {
    CREATE: { object: website(), oldObject: null },
    UPDATE: { object: website(), oldObject: website() },
    DELETE: { object: null, oldObject: website() },
  }[operation];
  const outcome = async (thrown?: Error): Promise<unknown> => {
    const validate = ({ warn }: { readonly warn: (text: string) => void }): void => {
      warn("careful");
      if (thrown) throw thrown;
    };
    const reviewed = new Reviewed({ validate, validateDelete: validate });
    const { allowed, status, warnings } = await reviewed.response(reviewText({ operation, ...objects }));
    return [allowed, status?.code, warnings];
  };
  expect(await outcome()).toEqual([true, 200, ["careful"]]);
  expect(await outcome(new Denied("no"))).toEqual([false, 403, ["careful"]]);
  expect(await outcome(new Error("boom"))).toEqual([false, 500, ["careful"]]);
  const silent = new Reviewed({ validate() {}, validateDelete() {} });
  expect(await silent.response(reviewText({ operation, ...objects }))).not.toHaveProperty("warnings");
});

test("an object without apiVersion and kind is admitted by the kind of the review", async () => {
  const { metadata, spec } = website();
  const reviewed = new Reviewed({
    default(site) {
      site.spec.replicas ??= 1;
    },
  });
  const response = await reviewed.response(reviewText({ object: { metadata, spec } }));
  expect(patchIn(response)).toEqual([{ op: "add", path: "/spec/replicas", value: 1 }]);
});

test("another error is a 500 with its message, logged with the line of the handler", async () => {
  const reviewed = new Reviewed({
    validate() {
      throw new TypeError("cannot read properties of undefined");
    },
  });
  expect(await reviewed.response()).toEqual({
    uid: "705ab4f5",
    allowed: false,
    status: {
      metadata: {},
      status: "Failure",
      message: "cannot read properties of undefined",
      reason: "InternalError",
      code: 500,
    },
  });
  expect(reviewed.logged).toEqual([
    {
      level: "error",
      message: "webhook handler failed",
      fields: {
        webhook: "validate.websites.example.dev",
        resource: "websites.example.dev",
        namespace: "default",
        name: "docs",
        user: "jane",
        requestId: "705ab4f5",
        error: expect.any(TypeError),
        at: expect.stringContaining("review-admission.test.ts"),
      },
    },
  ]);
});

test.each([
  ["text", "boom"],
  ["undefined", undefined],
  ["a revoked proxy", revoked()],
])("a handler that throws %s is a 500 too", async (_, thrown) => {
  const reviewed = new Reviewed({
    validate() {
      throw thrown;
    },
  });
  expect(await reviewed.response()).toMatchObject({ allowed: false, status: { code: 500 } });
});

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

test("a handler that never returns fails with 504 when the API server no longer waits, and its signal aborts", async () => {
  const signals: AbortSignal[] = [];
  const reviewed = new Reviewed({
    validate({ signal }) {
      signals.push(signal);
      return new Promise(() => {});
    },
  });
  const failed = reviewed.review().catch((error: unknown) => error);
  await reviewed.clock.advance(9_999);
  expect(signals[0]?.aborted).toBe(false);
  await reviewed.clock.advance(1);
  expect(await failed).toMatchObject({
    code: 504,
    message: "expected the handler to return within 10000 ms, got no result",
  });
  expect([signals[0]?.aborted, reviewed.clock.timers]).toEqual([true, 0]);
});

test("a default is skipped on DELETE, and validateDelete gets the object that is deleted", async () => {
  const deletion = reviewText({ operation: "DELETE", object: null, oldObject: website() });
  expect(
    await new Reviewed({ default: ({ spec }) => void Object.assign(spec, { replicas: 1 }) }).response(
      deletion,
    ),
  ).toMatchObject({
    allowed: true,
  });
  const guarded = new Reviewed({
    validateDelete({ previous, user }) {
      throw new Denied(`${user.username} may not delete ${previous.metadata.name}`);
    },
  });
  expect(await guarded.response(deletion)).toMatchObject({ status: { message: "jane may not delete docs" } });
});

test.each([
  ["an empty body", "", "expected an AdmissionReview in JSON, got an empty body"],
  ["no JSON", "{", /^expected an AdmissionReview in JSON, got .*JSON/],
  ["a list", "[]", "expected an AdmissionReview in JSON, got a list"],
  [
    "another kind",
    '{"kind":"TokenReview","apiVersion":"authentication.k8s.io/v1"}',
    'expected an AdmissionReview, got "TokenReview"',
  ],
  [
    "another version",
    reviewText({}, "admission.k8s.io/v2"),
    /^expected an AdmissionReview of admission.k8s.io\/v1 or v1beta1, got "admission.k8s.io\/v2"/,
  ],
  [
    "no request",
    '{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1"}',
    "expected an AdmissionReview with a request, got none",
  ],
  ["no uid", reviewText({ uid: "" }), 'expected a text in request.uid, got ""'],
  ["no kind of the object", reviewText({ kind: {} }), "expected a text in request.kind.group, got none"],
  [
    "an unknown operation",
    reviewText({ operation: "PATCH" }),
    'expected CREATE, UPDATE, DELETE, CONNECT in request.operation, got "PATCH"',
  ],
  [
    "an object that is a text",
    reviewText({ object: "x" }),
    'expected a JSON object in request.object, got "x"',
  ],
  ["no object", reviewText({ object: null }), "expected request.object with operation CREATE, got none"],
  [
    "no old object",
    reviewText({ operation: "UPDATE" }),
    "expected request.oldObject with operation UPDATE, got none",
  ],
  [
    "an object of another kind",
    reviewText({ kind: { group: "", version: "v1", kind: "Pod" } }),
    /^expected a review of example.dev\/v1 Website, got v1 Pod; check the rules/,
  ],
])("a review with %s is refused with 400 and a clear message", async (_, text, message) => {
  const error: unknown = await new Reviewed({ validate() {} })
    .review(text)
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    code: 400,
    message: typeof message === "string" ? message : expect.stringMatching(message),
  });
});

test("a raw webhook allows, denies, or patches objects of any kind", async () => {
  const rules = [{ operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*"] }] as const;
  const raw = (
    admit: Parameters<typeof rawWebhook>[0]["admit"],
    type: "mutating" | "validating" = "mutating",
  ): Reviewed => {
    const [hook] = rawWebhook({ type, name: "any.example.dev", rules, admit }).hooks;
    if (!hook) throw new Error("expected a hook");
    return new Reviewed(hook);
  };
  expect(await raw(() => {}).response()).toMatchObject({ allowed: true, status: { code: 200 } });
  expect(await raw(() => ({ allowed: false, message: "no", code: 422 })).response()).toMatchObject({
    allowed: false,
    status: { message: "no", code: 422, reason: "Invalid" },
  });
  const patched = await raw(() => ({
    allowed: true,
    patch: [{ op: "remove", path: "/spec/image" }],
  })).response();
  expect(patchIn(patched)).toEqual([{ op: "remove", path: "/spec/image" }]);
  const changed = await raw(({ object }) => ({ allowed: true, object: { ...object, spec: {} } })).response();
  expect(patchIn(changed)).toEqual([
    { op: "remove", path: "/spec/domain" },
    { op: "remove", path: "/spec/image" },
  ]);
  expect(
    await raw(({ object }) => ({ allowed: true, object: object ?? {} }), "validating").response(),
  ).toMatchObject({
    allowed: false,
    status: { code: 500, message: expect.stringContaining("validating webhook") },
  });
});

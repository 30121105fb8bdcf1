import { expect, test } from "vitest";
import { Namespace, Pod } from "../api/types/core/v1.ts";
import { DeclaredCache } from "../controller/index.ts";
import { checkUnique } from "./check-hook.ts";
import { Denied, rawWebhook, review, webhook } from "./index.ts";
import { Website, website } from "./website.fixture.ts";

const noop = (): void => {};

test("a webhook has a mutating and a validating hook with controller-runtime's paths", () => {
  const { hooks } = webhook(Website, { default: noop, validate: noop });
  expect(hooks.map(({ type, name, path, rules }) => ({ type, name, path, rules }))).toEqual([
    {
      type: "mutating",
      name: "mutate.websites.example.dev",
      path: "/mutate-example-dev-v1-website",
      rules: [ruleOf(["CREATE", "UPDATE"])],
    },
    {
      type: "validating",
      name: "validate.websites.example.dev",
      path: "/validate-example-dev-v1-website",
      rules: [ruleOf(["CREATE", "UPDATE"])],
    },
  ]);
});

function ruleOf(operations: readonly string[]): object {
  const rule = {
    apiGroups: ["example.dev"],
    apiVersions: ["v1"],
    resources: ["websites"],
    scope: "Namespaced",
  };
  return { operations, ...rule };
}

test("deletes are only registered with validateDelete", () => {
  const operations = webhook(Website, { validateDelete: noop }).hooks.map(
    ({ rules }) => rules[0]?.operations,
  );
  expect(operations).toEqual([["DELETE"]]);
  const both = webhook(Website, { validate: noop, validateDelete: noop }).hooks;
  expect(both.map(({ rules }) => rules[0]?.operations)).toEqual([["CREATE", "UPDATE", "DELETE"]]);
});

test("built-in kinds, subresources, names and paths of one's choice", () => {
  const names = (...hooks: { readonly name: string; readonly path: string }[]): string[][] =>
    hooks.map(({ name, path }) => [name, path]);
  expect(names(...webhook(Pod, { default: noop }).hooks)).toEqual([["mutate.pods.core", "/mutate--v1-pod"]]);
  const eviction = webhook(Pod, {
    subresource: "eviction",
    validate: ({ object }) => void object.deleteOptions,
  }).hooks;
  expect(names(...eviction)).toEqual([["validate.eviction.pods.core", "/validate--v1-pod-eviction"]]);
  expect(eviction[0]?.rules[0]?.resources).toEqual(["pods/eviction"]);
  expect(webhook(Namespace, { validate: noop }).hooks[0]?.rules[0]?.scope).toBe("Cluster");
  expect(names(...webhook(Website, { name: "images.example.dev", validate: noop }).hooks)).toEqual([
    ["images.example.dev", "/validate-images-example-dev"],
  ]);
  expect(names(...webhook(Website, { path: "/site", default: noop, validate: noop }).hooks)).toEqual([
    ["mutate.websites.example.dev", "/site/mutate"],
    ["validate.websites.example.dev", "/site/validate"],
  ]);
  expect(names(...webhook(Website, { path: "/site", validate: noop }).hooks)).toEqual([
    ["validate.websites.example.dev", "/site"],
  ]);
});

test("operations restrict the rules", () => {
  const { hooks } = webhook(Website, {
    default: noop,
    validate: noop,
    validateDelete: noop,
    operations: ["CREATE", "DELETE"],
  });
  expect(hooks.map(({ rules }) => rules[0]?.operations)).toEqual([["CREATE"], ["CREATE", "DELETE"]]);
  const onlyDelete = webhook(Website, { default: noop, validateDelete: noop, operations: ["DELETE"] });
  expect(onlyDelete.hooks.map(({ type }) => type)).toEqual(["validating"]);
});

test("options that an API server would refuse are errors", () => {
  expect(() => webhook(Website, {})).toThrow("expected default, validate or validateDelete");
  expect(() => webhook(Website, { validate: noop, operations: ["DELETE"] })).toThrow(
    "expected validateDelete",
  );
  expect(() => webhook(Website, { validate: noop, name: "images" })).toThrow(
    'at least three parts of lower case letters, digits and dashes, with dots between them, got "images"',
  );
  expect(() => webhook(Website, { validate: noop, path: "/a b" })).toThrow('got "/a b"');
  expect(() => webhook(Website, { validate: noop, path: "/convert" })).toThrow('got "/convert"');
  expect(() => webhook(Website, { validate: noop, timeoutSeconds: 31 })).toThrow("from 1 to 30, got 31");
  expect(() => rawWebhook({ type: "validating", name: "Any", rules: [], admit: noop })).toThrow('got "Any"');
});

test("several webhooks of one kind need their own names", () => {
  const one = webhook(Website, { validate: noop });
  const other = webhook(Website, { validate: noop, name: "images.example.dev" });
  checkUnique([...one.hooks, ...other.hooks]);
  expect(() => checkUnique([...one.hooks, ...webhook(Website, { validate: noop }).hooks])).toThrow(
    "expected each webhook to have its own path, got two with /validate-example-dev-v1-website; set `name` of one of them",
  );
});

const admission = webhook(Website, {
  default(site) {
    site.spec.replicas ??= 1;
  },
  validate({ object, previous, warn }) {
    if (object.spec.image.endsWith(":latest")) warn("spec.image: a moving tag");
    if (previous && previous.spec.domain !== object.spec.domain) {
      throw new Denied("is immutable", { field: "spec.domain" });
    }
  },
  validateDelete({ previous }) {
    if (previous.spec.replicas !== 0) throw new Denied("scale it down first");
  },
});

test("review runs the handlers without a server: defaults first, then validation", async () => {
  const object = website({ image: "nginx:latest" });
  expect(await review(admission, { object })).toEqual({
    allowed: true,
    object: website({ image: "nginx:latest", replicas: 1 }),
    status: undefined,
    warnings: ["spec.image: a moving tag"],
    auditAnnotations: {},
  });
  expect(object).toEqual(website({ image: "nginx:latest" }));
});

test("review of an update and of a delete show what is denied", async () => {
  const previous = website();
  const changed = await review(admission, { object: website({ domain: "x.example.dev" }), previous });
  expect([changed.allowed, changed.status?.message]).toEqual([false, "spec.domain: is immutable"]);
  const deleted = await review(admission, { previous });
  expect([deleted.allowed, deleted.status?.message]).toEqual([false, "scale it down first"]);
});

test("a handler that needs a cache gets the one of the review", async () => {
  const reading = webhook(Website, {
    validate({ cache }) {
      throw new Denied(typeof cache.by);
    },
  });
  const without = await review(reading, { object: website() });
  expect(without.status?.message).toBe("expected a cache for this handler, got none; pass one to review()");
  const given = await review(reading, { object: website(), cache: new DeclaredCache() });
  expect(given.status?.message).toBe("function");
});

test("a handler that needs a client gets the one of the review", async () => {
  const reading = webhook(Website, { validate: async ({ client }) => void client.namespace });
  const { status } = await review(reading, { object: website() });
  expect(status?.message).toBe("expected a client for this handler, got none; pass one to review()");
});

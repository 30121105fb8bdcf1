import { expect, test } from "vitest";
import { controlledBy, controllerOf, isControlledBy, type Owned, type Owner, withOwner } from "./owner.ts";

const foo: Owner = {
  apiVersion: "example.dev/v1",
  kind: "Foo",
  metadata: { namespace: "default", name: "a", uid: "uid-a" },
};
const fooController = {
  apiVersion: "example.dev/v1",
  kind: "Foo",
  name: "a",
  uid: "uid-a",
  controller: true,
  blockOwnerDeletion: true,
};
const bar = { apiVersion: "v1", kind: "Bar", name: "b", uid: "uid-b" };
const web: Owned = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { namespace: "default", name: "web" },
};

function owned(...ownerReferences: (typeof bar)[]): Owned {
  return { ...web, metadata: { ...web.metadata, ownerReferences } };
}

test("the controller is the reference with controller true", () => {
  expect(controllerOf(owned(bar, fooController))).toEqual(fooController);
  expect(controllerOf(owned(bar))).toBeUndefined();
  expect(controllerOf(web)).toBeUndefined();
});

test.each(["none", null, {}, [null, 7, "x"]])(
  "malformed owner references %j have no controller",
  (malformed) => {
    const metadata = { name: "web", ownerReferences: malformed } as unknown as Owned["metadata"]; // a server may send anything
    expect(controllerOf({ metadata })).toBeUndefined();
  },
);

test("an object is controlled only by the owner with that uid", () => {
  const object = owned(bar, fooController);
  expect(isControlledBy(object, foo)).toBe(true);
  expect(isControlledBy(object, { metadata: { ...foo.metadata, uid: "uid-later" } })).toBe(false);
  expect(isControlledBy(object, { metadata: { name: "b", uid: "uid-b" } })).toBe(false);
  expect(isControlledBy(owned({ ...fooController, uid: "" }), { metadata: { name: "a", uid: "" } })).toBe(
    false,
  );
});

test("a controller reference has the fields that the garbage collector needs", () => {
  expect(controlledBy(foo)).toEqual(fooController);
});

test.each([
  ["apiVersion", { ...foo, apiVersion: "" }],
  ["kind", { ...foo, kind: "" }],
  ["metadata.name", { ...foo, metadata: { ...foo.metadata, name: "" } }],
  ["metadata.uid", { ...foo, metadata: { ...foo.metadata, uid: "" } }],
])("an owner without %s is refused", (field, owner) => {
  expect(() => controlledBy(owner)).toThrow(`expected an owner with ${field}, got `);
  expect(() => withOwner(web, owner)).toThrow("only an object read from the server can own");
});

test("an owner is appended, and the input is not modified", () => {
  const object = owned(bar);
  expect(withOwner(object, foo)).toEqual(owned(bar, fooController));
  expect(object).toEqual(owned(bar));
});

test("an owner that is not the controller has no flags, unless it blocks deletion", () => {
  const { controller: _, blockOwnerDeletion: __, ...plain } = fooController;
  expect(withOwner(web, foo, { controller: false })).toEqual(owned(plain));
  const blocking = withOwner(web, foo, { controller: false, blockOwnerDeletion: true });
  expect(blocking.metadata.ownerReferences).toEqual([{ ...plain, blockOwnerDeletion: true }]);
  const letting = withOwner(web, foo, { blockOwnerDeletion: false });
  expect(letting.metadata.ownerReferences).toEqual([{ ...plain, controller: true }]);
});

test("a reference to the same group, kind and name is replaced in place, with any version and uid", () => {
  const former = { ...fooController, apiVersion: "example.dev/v1alpha1", uid: "uid-former" };
  expect(withOwner(owned(former, bar), foo)).toEqual(owned(fooController, bar));
});

test("the same name in another group or kind is another owner", () => {
  const { controller: _, ...elsewhere } = { ...fooController, apiVersion: "other.dev/v1" };
  expect(withOwner(owned(elsewhere), foo)).toEqual(owned(elsewhere, fooController));
});

test("a second controller is refused, a second owner is not", () => {
  const object = owned({ ...bar, ...{ controller: true } });
  expect(() => withOwner(object, foo)).toThrow(
    "expected no other controller on Deployment default/web, got Bar b (uid uid-b)",
  );
  expect(withOwner(object, foo, { controller: false }).metadata.ownerReferences).toHaveLength(2);
});

test("an owner in another namespace is refused", () => {
  const object = { ...web, metadata: { ...web.metadata, namespace: "other" } };
  expect(() => withOwner(object, foo)).toThrow(
    "expected an object in namespace default of its owner Foo default/a, got Deployment other/web",
  );
});

test("a namespaced owner of a cluster-scoped object is refused", () => {
  expect(() => withOwner({ kind: "Node", metadata: { name: "n" } }, foo)).toThrow(
    "expected an object in namespace default of its owner Foo default/a, got Node n in none",
  );
});

test("a cluster-scoped owner may own objects of any scope", () => {
  const node: Owner = { apiVersion: "v1", kind: "Node", metadata: { name: "n", uid: "uid-n" } };
  expect(isControlledBy(withOwner(web, node), node)).toBe(true);
  expect(isControlledBy(withOwner({ metadata: { name: "x" } }, node), node)).toBe(true);
});

import { expect, test } from "vitest";
import { capUpdates } from "./cap-updates.ts";
import { FieldSet } from "./field-set.ts";
import { identityOf, type Manager, type Managers, printManagers } from "./managers.ts";
import { path } from "./thing.fixture.ts";

test("ten update managers stay unchanged", () => {
  const managers = managersOf(range(10).map((index) => manager(index)));
  expect(capUpdates(managers)).toBe(managers);
});

test("beyond ten, the oldest managers become ancient-changes with the time of the newest among them", () => {
  const capped = capUpdates(managersOf(range(12).map((index) => manager(index))));
  expect(printed(capped)).toEqual([
    ["ancient-changes", at(2), [".data.k0", ".data.k1", ".data.k2"]],
    ...range(9).map((index) => [manager(index + 3).name, at(index + 3), [`.data.k${index + 3}`]]),
  ]);
});

test("later managers are merged into existing ancient-changes", () => {
  const once = capUpdates(managersOf(range(11).map((index) => manager(index))));
  const twice = capUpdates(managersOf([...once.values(), manager(11)]));
  expect(printed(twice)[0]).toEqual(["ancient-changes", at(2), [".data.k0", ".data.k1", ".data.k2"]]);
  expect(twice.size).toBe(10);
});

test("a manager older than ancient-changes stays separate", () => {
  const ancient = manager(9, { name: "ancient-changes", time: at(59) });
  const others = range(9).map((index) => manager(index, index === 0 ? { time: undefined } : {}));
  const capped = capUpdates(managersOf([...others, ancient, manager(10)]));
  expect(printed(capped).slice(0, 3)).toEqual([
    ["m00", undefined, [".data.k0"]],
    ["ancient-changes", at(1), [".data.k1", ".data.k9"]],
    ["m02", at(2), [".data.k2"]],
  ]);
});

test("ancient-changes is lost if only a manager without a time is older", () => {
  const ancient = manager(1, { name: "ancient-changes" });
  const others = range(9).map((index) => manager(index + 2));
  const capped = capUpdates(managersOf([manager(0, { time: undefined }), ancient, ...others]));
  expect(printed(capped).slice(0, 2)).toEqual([
    ["m00", undefined, [".data.k0"]],
    ["m02", at(2), [".data.k2"]],
  ]);
});

test("apply managers are not counted, and each version is merged separately", () => {
  const applies = range(5).map((index) => manager(index, { operation: "Apply" }));
  const first = range(2).map((index) => manager(index, { apiVersion: "v1" }));
  const second = range(9).map((index) => manager(index + 2, { apiVersion: "v2" }));
  const capped = capUpdates(managersOf([...applies, ...first, ...second]));
  expect(capped.size).toBe(15);
  expect(printed(capped).slice(5, 7)).toEqual([
    ["ancient-changes", at(1), [".data.k0", ".data.k1"]],
    ["m02", at(2), [".data.k2"]],
  ]);
});

function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

function at(second: number): string {
  return `2026-01-01T00:00:${String(second).padStart(2, "0")}Z`;
}

function manager(index: number, part: Partial<Manager> = {}): Manager {
  return {
    name: `m${String(index).padStart(2, "0")}`,
    operation: "Update",
    apiVersion: "v1",
    subresource: "",
    time: at(index),
    fields: FieldSet.of(path("data", `k${index}`)),
    ...part,
  };
}

function managersOf(managers: readonly Manager[]): Managers {
  return new Map(managers.map((each) => [identityOf(each), each]));
}

function printed(managers: Managers): unknown[] {
  return (printManagers(managers.values()) ?? []).map(({ manager, time, fieldsV1 }) => [
    manager,
    time,
    Object.keys(fieldsV1["f:data"] ?? {}).map((key) => `.data.${key.slice(2)}`),
  ]);
}

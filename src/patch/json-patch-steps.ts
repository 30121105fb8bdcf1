import { fieldOf, isArray, isObject, type JsonObject } from "../schema/index.ts";
import { jsonWord } from "./go-words.ts";
import { oddSteps } from "./odd-literals.ts";
import { malformed, tooLarge } from "./patch-error.ts";
import type { PatchOptions } from "./patch-options.ts";

/** A step as it came. Members that are missing, or of another type where nobody looked, are absent. */
export interface PatchStep {
  readonly op: string | undefined;
  readonly path: string | undefined;
  readonly from: string | undefined;
  /** A missing value is `null`. */
  readonly value: unknown;
  /** The value is not written as the server writes it. */
  readonly odd: boolean;
}

const mostSteps = 10_000;

/** The steps of a JSON patch. Throws where it is none, or has too many. */
export function readSteps(
  patch: unknown,
  { fieldValidation = "Warn", text = "" }: PatchOptions,
): PatchStep[] {
  const reading = fieldValidation === "Ignore" ? carelessly : carefully;
  const steps = (patch ?? []) as unknown;
  if (!isArray(steps)) throw reading.refusal(steps, reading.patchType);
  const members = steps.map((step) => membersOf(step, reading));
  if (members.length > mostSteps) throw tooManySteps(members.length);
  const odd = oddSteps(text);
  return members.map((step, place) => stepOf(step, odd.has(place)));
}

/** Paths of members that no step has, in the order of the patch, like `[0].foo`. */
export function unknownStepMembers(patch: unknown): string[] {
  if (!isArray(patch)) return [];
  return patch.flatMap((step, index) =>
    Object.keys(step ?? {})
      .filter((name) => !known.has(name))
      .map((name) => `[${index}].${name}`),
  );
}

const textMembers = ["op", "path", "from"] as const;
const known: ReadonlySet<string> = new Set([...textMembers, "value"]);

/** How the server reads steps: into a type of its own when it validates fields, into maps when it does not. */
interface Reading {
  readonly patchType: string;
  readonly stepType: string;
  readonly checksMembers: boolean;
  refusal(value: unknown, type: string): Error;
}

const carefully: Reading = {
  patchType: "Go value of type []handlers.jsonPatchOp",
  stepType: "Go value of type handlers.jsonPatchOp",
  checksMembers: true,
  refusal: (value, type) =>
    malformed(`error decoding patch: json: cannot unmarshal ${jsonWord(value)} into ${type}`),
};

const carelessly: Reading = {
  patchType: "Go value of type jsonpatch.Patch",
  stepType: "Go value of type jsonpatch.Operation",
  checksMembers: false,
  refusal: (value, type) => malformed(`json: cannot unmarshal ${jsonWord(value)} into ${type}`),
};

function membersOf(step: unknown, reading: Reading): JsonObject {
  if (step === null) return {};
  if (!isObject(step)) throw reading.refusal(step, reading.stepType);
  if (reading.checksMembers) for (const name of Object.keys(step)) requireText(step, name, reading);
  return step;
}

function requireText(step: JsonObject, name: string, reading: Reading): void {
  const value = step[name];
  if (name === "value" || !known.has(name) || value === null || typeof value === "string") return;
  throw reading.refusal(value, `Go struct field jsonPatchOp.${name} of type string`);
}

function stepOf(members: JsonObject, odd: boolean): PatchStep {
  const [op, path, from] = textMembers.map((name) => textOf(members, name));
  return { op, path, from, value: fieldOf(members, "value") ?? null, odd };
}

function textOf(members: JsonObject, name: string): string | undefined {
  const value = fieldOf(members, name);
  return typeof value === "string" ? value : undefined;
}

function tooManySteps(count: number): Error {
  return tooLarge(
    `Request entity too large: The allowed maximum operations in a JSON patch is ${mostSteps}, got ${count}`,
  );
}

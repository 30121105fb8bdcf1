import { expect, test } from "vitest";
import type { KubeObject } from "../api/index.ts";
import { type LogEntry, loggerTo, realClock } from "../base/index.ts";
import { type ConversionReview, type Converter, reviewConversion } from "./conversion-review.ts";

const websites: Converter = {
  group: "example.dev",
  kind: "Website",
  storageVersion: "v1",
  convert: (object, version) =>
    ({ ...object, apiVersion: `example.dev/${version}`, converted: true }) as KubeObject,
};

function object(fields: object = {}): object {
  const metadata = { name: "docs", namespace: "default", uid: "u1" };
  return { apiVersion: "example.dev/v1beta1", kind: "Website", metadata, ...fields };
}

function text(request: object, apiVersion = "apiextensions.k8s.io/v1"): string {
  const common = { uid: "705ab4f5", desiredAPIVersion: "example.dev/v1" };
  return JSON.stringify({ apiVersion, kind: "ConversionReview", request: { ...common, ...request } });
}

async function converted(
  review: string,
  converter: Partial<Converter> = {},
): Promise<[ConversionReview, LogEntry[]]> {
  const logged: LogEntry[] = [];
  const log = loggerTo((entry) => logged.push(entry));
  return [
    await reviewConversion(review, {
      converters: [{ ...websites, ...converter }],
      clock: realClock,
      log,
      timeoutMs: 30_000,
    }),
    logged,
  ];
}

test.each(["apiextensions.k8s.io/v1", "apiextensions.k8s.io/v1beta1"])(
  "a review of %s is answered in its version, objects in order",
  async (version) => {
    const objects = [object(), object({ apiVersion: "example.dev/v1" })];
    const [review] = await converted(text({ objects }, version));
    expect(review).toEqual({
      apiVersion: version,
      kind: "ConversionReview",
      response: {
        uid: "705ab4f5",
        convertedObjects: [object({ apiVersion: "example.dev/v1", converted: true }), objects[1]],
        result: { status: "Success" },
      },
    });
  },
);

test.each<{ what: string; request: object; converter?: Partial<Converter>; message: string }>([
  {
    what: "an unknown kind",
    request: { objects: [object({ kind: "Blog" })] },
    message: "Blog default/docs: expected a kind of example.dev that this program converts, got Blog",
  },
  {
    what: "another group",
    request: { objects: [object()], desiredAPIVersion: "other.dev/v1" },
    message: "Website default/docs: expected a version of group example.dev, got other.dev/v1",
  },
  {
    what: "no object",
    request: { objects: [object(), 5] },
    message: "objects[1]: expected a JSON object to convert, got 5",
  },
  {
    what: "a converter that returns another version",
    request: { objects: [object()] },
    converter: { convert: (each) => each },
    message:
      "Website default/docs: expected the converter to return example.dev/v1 Website, got example.dev/v1beta1 Website",
  },
  {
    what: "a converter that changes the name",
    request: { objects: [object()] },
    converter: { convert: () => object({ apiVersion: "example.dev/v1", metadata: {} }) as KubeObject },
    message:
      "Website default/docs: expected the converter to keep metadata except labels and annotations, got other metadata",
  },
  {
    what: "a converter that returns nothing",
    request: { objects: [object()] },
    converter: { convert: () => undefined as unknown as KubeObject },
    message: "Website default/docs: expected a JSON object from the converter, got none",
  },
])("$what fails the whole review with a message, and is logged", async ({ request, converter, message }) => {
  const [{ response }, logged] = await converted(text(request), converter);
  expect(response).toEqual({ uid: "705ab4f5", convertedObjects: [], result: { status: "Failure", message } });
  expect(logged.map((entry) => entry.message)).toEqual(["conversion failed"]);
});

test("an error of the converter fails the review with its message and the line in the log", async () => {
  const convert = (): never => {
    throw new Error("spec.image: no tag");
  };
  const [{ response }, logged] = await converted(text({ objects: [object()] }), { convert });
  expect(response.result).toEqual({ status: "Failure", message: "Website default/docs: spec.image: no tag" });
  expect(logged[0]?.fields.at).toContain("conversion-review.test.ts");
});

test.each([
  ["no JSON", "x", /^expected a ConversionReview in JSON, got/],
  [
    "an AdmissionReview",
    '{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview"}',
    /^expected a ConversionReview, got "AdmissionReview"/,
  ],
  ["no uid", text({ uid: undefined }), /^expected a text in request.uid, got none/],
  ["no version", text({ desiredAPIVersion: 1 }), /^expected a text in request.desiredAPIVersion, got 1/],
  ["no list", text({ objects: {} }), /^expected a list in request.objects, got an object/],
])("a review with %s is refused with 400", async (_, review, message) => {
  const error: unknown = await converted(review).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 400, message: expect.stringMatching(message) });
});

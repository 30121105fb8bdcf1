import { type Things, things, version } from "./defined.ts";
import type { Stage } from "./scenario.ts";
import { type HookServer, hookServer, RawAnswer } from "./webhooks.ts";

/** The request of a ConversionReview. */
export interface ConversionRequest {
  readonly uid: string;
  readonly desiredAPIVersion: string;
  readonly objects: readonly Thing[];
}

export interface Thing {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly spec?: { readonly a?: string; readonly b?: string } | undefined;
}

/** A kind Thing with a conversion webhook: `spec.a` of v1, which is stored, is `spec.b` of v2. */
export interface ConvertedThings extends Things {
  readonly server: HookServer;
  readonly requests: readonly ConversionRequest[];
  /** Changes the response to all requests from now on. */
  answer(change: (response: ConversionResponse) => object): void;
}

export interface ConversionResponse {
  readonly uid: string;
  readonly result: object;
  readonly convertedObjects: readonly Thing[];
}

const text = { type: "string" };

export async function convertedThings(stage: Stage, review = "v1"): Promise<ConvertedThings> {
  const requests: ConversionRequest[] = [];
  let change = (response: ConversionResponse): object => response;
  const server = await hookServer(async (body) => {
    const { request, apiVersion } = body as { request: ConversionRequest; apiVersion: string };
    requests.push(request);
    const changed = change(converted(request));
    if (changed instanceof RawAnswer) return changed;
    return { kind: "ConversionReview", apiVersion, response: changed };
  });
  const clientConfig = { url: `${server.url}/convert`, caBundle: server.caBundle };
  const webhook = { clientConfig, conversionReviewVersions: [review] };
  const made = await things(
    stage,
    [
      version("v1", { a: text, first: { ...text, default: "v1" } }),
      version("v2", { b: text, second: { ...text, default: "v2" } }, { storage: false }),
    ],
    { conversion: { strategy: "Webhook", webhook } },
  );
  return {
    ...made,
    server,
    requests,
    answer(next) {
      change = next;
    },
    async [Symbol.asyncDispose]() {
      change = (response) => response;
      await made[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

function converted({ uid, objects, desiredAPIVersion }: ConversionRequest): ConversionResponse {
  const convertedObjects = objects.map(({ spec = {}, ...object }) => {
    const value = spec.a ?? spec.b;
    const field = desiredAPIVersion.endsWith("/v1") ? "a" : "b";
    return { ...object, apiVersion: desiredAPIVersion, spec: value === undefined ? {} : { [field]: value } };
  });
  return { uid, result: { status: "Success" }, convertedObjects };
}

import { describe, expect, test } from "vitest";
import { listen } from "../src/apiserver/index.ts";
import { readYaml } from "../src/apiserver/yaml/yaml-document.ts";
import { type Clock, realClock, seededRng, VirtualClock } from "../src/base/index.ts";
import { type Informer, informers } from "../src/cache/index.ts";
import { play } from "../src/election/deployment.fixture.ts";
import { readJson } from "../src/schema/index.ts";
import { parseKubeconfig } from "../src/transport/config/kubeconfig.ts";
import { ours } from "../src/transport/http/response-readers.fixture.ts";
import { endOfJson } from "../src/transport/index.ts";
import { byteBoundariesTarget } from "./byte-boundaries.ts";
import { cacheTarget } from "./cache.ts";
import { corruptionTarget } from "./corruption.ts";
import { httpResponsesTarget } from "./http-responses.ts";
import { httpServerTarget } from "./http-server.ts";
import { jsonTarget } from "./json.ts";
import { kubeconfigTarget } from "./kubeconfig.ts";
import type { Budget, FuzzTarget } from "./target.ts";
import { targets } from "./targets.ts";
import { checkYamlValue, yamlTarget } from "./yaml.ts";

/** More rounds and other seeds: `npm run fuzz`. */
const seed = 20_261_118;

function budgetOf(ms: number, clock: Clock = realClock): Budget {
  const endMs = clock.monotonic() + ms;
  return {
    get spent() {
      return clock.monotonic() >= endMs;
    },
  };
}

test.each(targets.filter(({ slow }) => !slow))("$name: $summary", async (target) => {
  const counts = await target.run(seededRng(seed), budgetOf(700));
  expect(Object.values(counts).every((count) => count >= 0)).toBe(true);
});

test.each([".", "+.", "-._", ".e5", "e5", "E-5"])(
  "yaml: %s is text, although the yaml package reads it as NaN without quotes",
  async (text) => {
    for (const value of [text, [text], { [text]: text }, { list: [{ [text]: -8.4e-323 }] }])
      await checkYamlValue(seededRng(seed), readYaml, value);
  },
);

/** Runs rounds until one fails. */
async function failureOf(target: FuzzTarget, rounds = 20): Promise<unknown> {
  for (let round = 0; round < rounds; round += 1) {
    try {
      await target.run(seededRng(seed + round), budgetOf(1000));
    } catch (error) {
      return error;
    }
  }
  return undefined;
}

type MakeInformers = typeof informers;

/** Returns informers whose handles are changed by `change`. */
function broken(change: (informer: Informer<never>) => Informer<never>): MakeInformers {
  return (options) => {
    const factory = informers(options);
    return new Proxy(factory, {
      get(of, name) {
        const value: unknown = Reflect.get(of, name, of);
        if (name === "for")
          return (...args: Parameters<typeof factory.for>) => change(factory.for(...args) as never);
        return typeof value === "function" ? value.bind(of) : value;
      },
    });
  };
}

function withBody(
  outcome: ReturnType<typeof ours>,
  change: (body: string) => string,
): ReturnType<typeof ours> {
  return outcome === "refused" ? outcome : { ...outcome, body: change(outcome.body) };
}

describe("a deliberate fault is found", () => {
  test("in a cache that loses every fiftieth event of a handler", async () => {
    const losing = broken((informer) => {
      const on = informer.on.bind(informer);
      let events = 0;
      informer.on = (handler, options) =>
        on((event) => (++events % 50 === 0 ? undefined : handler(event)), options);
      return informer;
    });
    expect(await failureOf(cacheTarget(losing))).toBeInstanceOf(Error);
  });

  test("in a cache whose readers throw for undecodable objects", async () => {
    const throwing = broken((informer) => {
      const { lister } = informer;
      const list = lister.list.bind(lister);
      lister.list = (selection) => {
        if (informer.undecodable.size > 0) throw new SyntaxError("Unexpected token");
        return list(selection);
      };
      return informer;
    });
    expect(await failureOf(corruptionTarget(throwing))).toBeInstanceOf(SyntaxError);
  });

  test("in a cache that never notifies of an object", async () => {
    const silent = broken((informer) => {
      const on = informer.on.bind(informer);
      informer.on = (handler, options) =>
        on((event) => (event.key === "default/a" ? undefined : handler(event)), options);
      return informer;
    });
    const target = byteBoundariesTarget({ informers: silent, patienceMs: 300 });
    expect(await failureOf(target)).toMatchObject({ message: expect.stringMatching(/^expected .* at byte/) });
  });

  test("in a server whose deadlines never pass", async () => {
    const patient: typeof listen = (handler, options) =>
      listen(handler, { ...options, clock: new VirtualClock() });
    const target = httpServerTarget({ listen: patient, closeMs: 200 });
    expect(await failureOf(target)).toMatchObject({
      message: expect.stringMatching(/^expected every connection to be closed by a deadline/),
    });
  });

  test.each<[string, typeof ours]>([
    [
      "loses the last byte of a body",
      (response, cuts) => withBody(ours(response, cuts), (body) => body.slice(0, -1)),
    ],
    ["refuses what is split", (response, cuts) => (cuts.length > 1 ? "refused" : ours(response, cuts))],
    [
      "accepts lines that end in LF alone",
      (response, cuts) =>
        ours(Buffer.from(response.toString("latin1").replaceAll(/\r?\n/g, "\r\n"), "latin1"), cuts),
    ],
  ])("in a reader of responses that %s", async (_, read) => {
    expect(await failureOf(httpResponsesTarget({ read }))).toMatchObject({
      message: expect.stringMatching(/^expected .* to be read as by node:http/),
    });
  });

  test("in a YAML reader that reads only a part", async () => {
    const hasty: typeof readYaml = (bytes) => readYaml(bytes.subarray(0, 20));
    expect(await failureOf(yamlTarget(hasty))).toBeInstanceOf(Error);
  });

  test("in an election whose lease is deleted by hand", async () => {
    const mishap = { what: "lease deleted", place: 0, forMs: 0 } as const;
    const plan = Array.from({ length: 60 }, (_, count) => ({ ...mishap, atMs: 20_000 + count * 700 }));
    await expect(play(plan, 1)).rejects.toThrow("expected at most one leader");
  });

  test("in a JSON reader that reads null where it should fail", async () => {
    const lax: typeof readJson = (text, options) => {
      try {
        return readJson(text, options);
      } catch {
        return readJson("null");
      }
    };
    expect(await failureOf(jsonTarget({ readJson: lax, endOfJson }))).toMatchObject({
      message: expect.stringMatching(/^expected JSON.parse and readJson to agree/),
    });
  });

  test("in a scanner that accepts everything", async () => {
    const lax: typeof endOfJson = (bytes) => bytes.length;
    expect(await failureOf(jsonTarget({ readJson, endOfJson: lax }))).toMatchObject({
      message: expect.stringMatching(/^expected the scanner to refuse/),
    });
  });

  test("in a kubeconfig reader that shows what it cannot read", async () => {
    const showing: typeof parseKubeconfig = async (text, options) => {
      try {
        return await parseKubeconfig(text, options);
      } catch (error) {
        (error as Error).message += text;
        throw error;
      }
    };
    expect(await failureOf(kubeconfigTarget(showing))).toMatchObject({
      message: expect.stringMatching(/^expected no secret to be shown/),
    });
  });
});

/**
 * Compares the output of kubectl at the server under test with the output recorded at kube-apiserver. To record again
 * after a command was added or the release changed: `npm run conformance -- --engine binaries --filter kubectl
 * --record`.
 */
import { readdirSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { Namespace } from "trimtab/api/core/v1";
import { afterAll, describe, expect, inject, test } from "vitest";
import { needsOf, reasonToSkip } from "../left-out.ts";
import { type ServerUnderTest, serverUnderTest } from "../server-under-test.ts";
import { findKubectl, type Kubectl } from "./kubectl.ts";
import { Terminal } from "./terminal.ts";
import { type Part, parseTranscript, printTranscript, type Transcript } from "./transcript.ts";

const transcripts = new URL("./transcripts/", import.meta.url);
const kubectl = findKubectl();

describe.concurrent("kubectl", async () => {
  if (kubectl === undefined) return test.skip("no kubectl found: `npm run kube` builds one", () => {});
  if (process.platform !== "linux") return test.skip("transcripts need GNU tools", () => {});
  const server = await serverUnderTest();
  afterAll(() => server[Symbol.asyncDispose]());
  for (const file of readdirSync(transcripts)) {
    test(file.replace(/\.md$/, ""), { timeout: 300_000 }, ({ skip }) =>
      check(file, { kubectl, server, skip }),
    );
  }
});

interface Place {
  readonly kubectl: Kubectl;
  readonly server: ServerUnderTest;
  skip(reason: string): never;
}

async function check(file: string, place: Place): Promise<void> {
  const path = new URL(file, transcripts);
  const text = await readFile(path, "utf8");
  const reason = reasonToSkip(needsOf(text), place.server.engine);
  if (reason !== undefined) place.skip(reason);
  const recorded = parseTranscript(text);
  const played = await play(recorded, { ...place, namespace: `kubectl-${file.replace(/\.md$/, "")}` });
  if (inject("record")) await writeFile(path, printTranscript(played));
  else if (place.kubectl.pinned) expect(printTranscript(played)).toBe(text);
  else expect(played.map(codeOf)).toEqual(recorded.map(codeOf));
}

/** Plays a transcript in its own namespace. */
async function play(
  transcript: Transcript,
  { kubectl, server, namespace }: Omit<Place, "skip"> & { readonly namespace: string },
): Promise<Transcript> {
  await server.client.create(Namespace, { metadata: { name: namespace } });
  await using terminal = await Terminal.open({
    kubectl: kubectl.file,
    kubeconfig: server.kubeconfig,
    namespace,
  });
  const played: Part[] = [];
  for (const part of transcript) {
    if (part.type === "prose") played.push(part);
    else played.push({ ...part, output: await terminal.run(part.command) });
  }
  await server.client.delete(Namespace, namespace);
  return played;
}

/** Returns the part of the output that is equal for every release of kubectl. */
function codeOf(part: Part): string | undefined {
  return part.type === "command" ? /(?<=^|\n)\[\d+\]$/.exec(part.output)?.[0] : part.text;
}

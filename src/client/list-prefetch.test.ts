import { expect, test } from "vitest";
import { ConfigMap } from "../api/types/core/v1.ts";
import { asError, onAbort } from "../base/index.ts";
import type { ApiRequest, ApiResponse, Transport } from "../transport/index.ts";
import { clientOver, type ListProgress } from "./index.ts";

const item = (name: string) => ({ metadata: { name } });
const named = (name: string) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name } });
const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A transport whose responses the test pushes in chunks, in the order of the requests. */
class Piecemeal implements Transport {
  readonly server = "https://piecemeal:6443";
  readonly sent: {
    readonly path: string;
    readonly push: (text: string) => void;
    readonly end: () => void;
  }[] = [];
  readonly aborted: string[] = [];

  open(): never {
    throw new Error("expected no watch");
  }

  async close(): Promise<void> {}

  send(request: ApiRequest): Promise<ApiResponse> {
    const reader = request.reader?.();
    const { path, signal } = request;
    return new Promise((resolve, reject) => {
      onAbort(signal, (reason) => {
        this.aborted.push(path);
        reject(asError(reason));
      });
      const end = (): void => resolve({ status: 200, headers: {}, body: Buffer.alloc(0) });
      this.sent.push({ path, push: (text) => reader?.push(Buffer.from(text)), end });
    });
  }

  get paths(): string[] {
    return this.sent.map(({ path }) => path);
  }

  /** Responds to the request at this index with the head of a page. Returns a function that sends the rest. */
  begin(turn: number, name: string, next?: string): () => void {
    const metadata = { resourceVersion: "50", continue: next };
    const text = JSON.stringify({ metadata, items: [item(name)] });
    const half = text.indexOf('"name"');
    this.sent[turn]?.push(text.slice(0, half));
    return () => {
      this.sent[turn]?.push(text.slice(half));
      this.sent[turn]?.end();
    };
  }
}

test("list requests the next page while a page arrives, and no further page before it has arrived", async () => {
  const transport = new Piecemeal();
  const list = clientOver(transport, { namespace: "home" }).list(ConfigMap, { pageSize: 1 });
  const first = "/api/v1/configmaps?limit=1";
  await tick();
  const endFirst = transport.begin(0, "a", "t1");
  expect(transport.paths).toEqual([first, `${first}&continue=t1`]);
  const endSecond = transport.begin(1, "b", "t2");
  expect(transport.paths).toEqual([first, `${first}&continue=t1`]);
  endFirst();
  await tick();
  expect(transport.paths).toEqual([first, `${first}&continue=t1`, `${first}&continue=t2`]);
  const endThird = transport.begin(2, "c");
  endThird();
  endSecond();
  expect(await list).toEqual(["a", "b", "c"].map(named));
});

test("after a retried page, the token of the last response is used", async () => {
  const text = (name: string, next?: string): Buffer =>
    Buffer.from(JSON.stringify({ metadata: { resourceVersion: "50", continue: next }, items: [item(name)] }));
  const sent: string[] = [];
  const transport: Transport = {
    server: "https://twice:6443",
    open: () => Promise.reject(new Error("expected no watch")),
    async close() {},
    async send({ path, reader }) {
      const token = new URL(path, "https://twice").searchParams.get("continue") ?? "";
      sent.push(token);
      await tick();
      if (token === "") reader?.().push(text("a", "old").subarray(0, -9)); // truncated
      reader?.().push(token === "" ? text("a", "new") : text(`after ${token}`));
      return { status: 200, headers: {}, body: Buffer.alloc(0) };
    },
  };
  const list = await clientOver(transport, { namespace: "home" }).list(ConfigMap, { pageSize: 1 });
  expect(list).toEqual(["a", "after new"].map(named));
  expect(sent).toEqual(["", "old", "new"]);
});

test("a list that fails aborts the prefetched request", async () => {
  const transport = new Piecemeal();
  const abort = new AbortController();
  const list = clientOver(transport, { namespace: "home" }).list(ConfigMap, {
    pageSize: 1,
    signal: abort.signal,
  });
  await tick();
  transport.begin(0, "a", "t1");
  const reason = new Error("enough");
  abort.abort(reason);
  await expect(list).rejects.toBe(reason);
  expect(transport.aborted).toEqual(transport.paths);
});

test("an aborted list rejects with the reason after the current page, even if the next page has arrived", async () => {
  const transport = new Piecemeal();
  const abort = new AbortController();
  const reason = new Error("enough");
  const progress: ListProgress[] = [];
  const list = clientOver(transport, { namespace: "home" }).list(ConfigMap, {
    pageSize: 1,
    signal: abort.signal,
    onProgress(step) {
      progress.push(step);
      abort.abort(reason);
    },
  });
  await tick();
  const endFirst = transport.begin(0, "a", "t1");
  transport.begin(1, "b")();
  await tick();
  endFirst();
  await expect(list).rejects.toBe(reason);
  expect(progress).toEqual([{ loaded: 1, remaining: undefined }]);
});

test("an error of onProgress rejects the list and aborts the prefetched request", async () => {
  const transport = new Piecemeal();
  const failure = new Error("no");
  const list = clientOver(transport, { namespace: "home" }).list(ConfigMap, {
    pageSize: 1,
    onProgress() {
      throw failure;
    },
  });
  await tick();
  transport.begin(0, "a", "t1")();
  await expect(list).rejects.toBe(failure);
  expect(transport.aborted).toContain("/api/v1/configmaps?limit=1&continue=t1");
  expect(transport.paths).toHaveLength(2);
});

test("pages does not prefetch", async () => {
  const transport = new Piecemeal();
  const pages = clientOver(transport, { namespace: "home" }).pages(ConfigMap, { pageSize: 1 });
  const page = pages[Symbol.asyncIterator]().next();
  await tick();
  transport.begin(0, "a", "t1")();
  expect((await page).value).toMatchObject({ items: [named("a")] });
  expect(transport.paths).toHaveLength(1);
});

/**
 * A stub API server that is fast enough for a benchmark to measure the client and not the server.
 *
 * It holds pods and custom objects as prebuilt bytes. It serves GET, LIST with pages, WATCH with initial events and
 * bookmarks, PATCH and PUT, discovery and access reviews, over plain HTTP/1.1, TLS and HTTP/2, and pods also as
 * protobuf if loaded. A write changes only the resource version in its response.
 *
 * It promises that every watch event is a separate chunk on HTTP/1.1, as from kube-apiserver, and that it counts
 * connections and requests. It has no selectors, no lists of one namespace and no other resources.
 *
 * @module
 */
export { testCertificate } from "./certificate.ts";
export { type Addresses, type Listening, listen } from "./listen.ts";
export { podTemplate } from "./pod.ts";
export { type StubProcess, type StubSizes, startStub } from "./start.ts";
export { type Stats, Stub } from "./stub.ts";
export { wallClock } from "./wall-clock.ts";

/**
 * A stub API server, fast enough that a benchmark measures the client and not the server.
 *
 * It holds pods and custom objects as prebuilt bytes and serves GET, LIST with pages, WATCH with initial events and
 * bookmarks, PATCH and PUT, and says which kinds and rights there are, over plain HTTP/1.1, TLS and HTTP/2, pods also as protobuf where it was given that. A write changes nothing but the version in its reply.
 * It promises that every watch event is a chunk of its own on HTTP/1.1, as from a real server, and that it counts the
 * connections and requests it was given. It knows no selectors, no lists of one namespace, no other resources.
 *
 * @module
 */
export { testCertificate } from "./certificate.ts";
export { type Addresses, type Listening, listen } from "./listen.ts";
export { podTemplate } from "./pod.ts";
export { type StubProcess, type StubSizes, startStub } from "./start.ts";
export { type Stats, Stub } from "./stub.ts";
export { wallClock } from "./wall-clock.ts";

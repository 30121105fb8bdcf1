const files = {
  "webhook-server": "src/webhook/webhook-server.test.ts",
  "review-admission": "src/webhook/review-admission.test.ts",
  "conversion-review": "src/webhook/conversion-review.test.ts",
  "define-versions": "src/crd/define-versions.test.ts",
  webhook: "src/webhook/webhook.test.ts",
  denied: "src/webhook/denied.test.ts",
  "certificate-files": "src/serving/certificate-files.test.ts",
  tls: "src/manager/servers/tls.test.ts",
  manager: "src/manager/webhooks.test.ts",
  contract: "src/testing/webhooks.contract.ts",
} as const;

/**
 * The behaviours that controller-runtime's tests of webhooks cover, and what covers them here: a test by its title, or
 * a row of a table of differences by its first cell.
 */
export const behaviours: readonly Behaviour[] = [
  // Server
  of("a duplicate path is an error", test("webhook-server", "two hooks with one path are an error")),
  of("webhooks registered after the start are served", row("Webhooks registered after the start")),
  of("TLS options and GetCertificate are used", row("`StandaloneWebhook`, `WebhookMux`, `TLSOpts`")),
  of("HTTP/2 is offered", test("webhook-server", "reviews are answered over HTTP/1.1 and HTTP/2")),
  of(
    "client certificates are verified",
    test("webhook-server", "client certificates are required if a CA for them is given"),
  ),
  of(
    "the server drains",
    test("webhook-server", "close waits for requests in flight, and refuses new connections"),
  ),
  of(
    "the started check",
    test("manager", "webhooks are served before the caches have synced, and are one of the readiness checks"),
  ),
  // Admission over HTTP
  of(
    "an empty or undecodable body, or another content type",
    row("Invalid reviews get HTTP 200 and a denied review"),
  ),
  of(
    "their codes and messages",
    test("webhook-server", "bad requests get an HTTP error with a Status, and the server goes on"),
  ),
  of(
    "a body that never ends",
    test("webhook-server", "a body that never ends is refused when it is too large"),
  ),
  of(
    "the response has the version of the review",
    test("review-admission", "a review of %s is answered in its version"),
  ),
  of(
    "v1 if the review has no version",
    test("review-admission", "a review without apiVersion and kind is answered as v1"),
  ),
  of("values of the HTTP request reach the handler", row("`WithContextFunc`")),
  of(
    "a response that cannot be written",
    test(
      "webhook-server",
      "a client that disconnects before it has read its response does not abort the next request",
    ),
  ),
  // Webhook
  of(
    "uid and default status are set",
    test("review-admission", "an object that a default leaves as it is yields no patch"),
  ),
  of(
    "a given status is kept",
    test("review-admission", "a raw webhook allows, denies, or patches objects of any kind"),
  ),
  of(
    "patches are serialized as one",
    test("review-admission", "a default becomes a JSON patch with the change only, and unknown fields stay"),
  ),
  of(
    "the logger names the request",
    test("review-admission", "another error is a 500 with its message, logged with the line of the handler"),
  ),
  of("a custom logger of the webhook", row("`WithLogConstructor`")),
  of("a panic is a 500", test("review-admission", "a handler that throws %s is a 500 too")),
  of("panic recovery can be turned off", row("`RecoverPanic`")),
  // Responses
  of(
    "allowed, denied, patched",
    test("review-admission", "a raw webhook allows, denies, or patches objects of any kind"),
  ),
  of("denied is 403 Forbidden", test("denied", "a message alone is a 403 Forbidden without causes")),
  of(
    "errored with a code",
    test("denied", "code and reason can be chosen; a code that is no refusal is an error"),
  ),
  of(
    "warnings are attached in every outcome",
    test("review-admission", "warnings are sent with every outcome of %s"),
  ),
  // Defaulter
  of(
    "unknown fields are kept",
    test("review-admission", "a default becomes a JSON patch with the change only, and unknown fields stay"),
  ),
  of("unknown fields are pruned when asked", row("`DefaulterRemoveUnknownOrOmitableFields`")),
  of(
    "DELETE is ignored",
    test(
      "review-admission",
      "a default is skipped on DELETE, and validateDelete gets the object that is deleted",
    ),
  ),
  of(
    "no patch without a change",
    test("review-admission", "an object that a default leaves as it is yields no patch"),
  ),
  // Validator
  of(
    "create, update and delete with and without warnings",
    test("review-admission", "warnings are sent with every outcome of %s"),
  ),
  of("API status errors pass through", row("API status errors of a handler pass through")),
  of("other errors are 403", row("An error of a handler is 403")),
  of(
    "CONNECT is not validated",
    test("webhook", "a webhook has a mutating and a validating hook with controller-runtime's paths"),
  ),
  of(
    "an unknown operation is 400",
    test("review-admission", "a review with %s is refused with 400 and a clear message"),
  ),
  // Decoder
  of(
    "typed objects",
    test(
      "review-admission",
      "validate gets both objects, the operation, the user and whether it is a dry run",
    ),
  ),
  of(
    "raw and unstructured objects",
    test("review-admission", "a raw webhook allows, denies, or patches objects of any kind"),
  ),
  of(
    "objects without apiVersion and kind",
    test("review-admission", "an object without apiVersion and kind is admitted by the kind of the review"),
  ),
  of(
    "a mismatched type and empty content fail",
    test("review-admission", "a review with %s is refused with 400 and a clear message"),
  ),
  // Several handlers
  of("multi handlers merge patches and warnings", row("`MultiMutatingHandler`, `MultiValidatingHandler`")),
  // Conversion
  of(
    "spoke to hub and back",
    test(
      "define-versions",
      "an object is converted to %s through the storage version, and keeps its metadata",
    ),
  ),
  of(
    "other groups, a failing converter",
    test("conversion-review", "$what fails the whole review with a message, and is logged"),
  ),
  of(
    "a panic of the converter",
    test(
      "conversion-review",
      "an error of the converter fails the review with its message and the line in the log",
    ),
  ),
  of("the same version fails", row("An object in the desired version fails a conversion")),
  of("a missing hub, constructor validation, convertibility", row("`HubSpokeConverter`, `IsConvertible`")),
  // Builder
  of(
    "generated paths",
    test("webhook", "a webhook has a mutating and a validating hook with controller-runtime's paths"),
  ),
  of("custom paths", test("webhook", "built-in kinds, subresources, names and paths of one's choice")),
  of("invalid paths", test("webhook", "options that an API server would refuse are errors")),
  of(
    "both kinds of webhook on one type",
    test("contract", "defaults are set, and fields that a handler leaves alone stay"),
  ),
  of(
    "deletes are validated with the old object",
    test("contract", "deletes are validated with the stored object"),
  ),
  of("old-style and new-style handlers together", row("`Defaulter` beside `CustomDefaulter`")),
  // Manager
  of("a custom webhook server, a port of -1", row("`webhook.Server` of your own, port -1")),
  // Certificate watcher
  of(
    "missing files fail",
    test("certificate-files", "files that are missing, unreadable or mismatched at the start are an error"),
  ),
  of(
    "reload after a rewrite",
    test("certificate-files", "renewed files are used, and the change is logged and reported"),
  ),
  of("reload after a rename", test("certificate-files", "files that are replaced by a rename are used")),
  of(
    "reload after the files were moved away",
    test(
      "certificate-files",
      "junk, mismatched or missing new files are logged once, and the last good pair stays",
    ),
  ),
  of(
    "new connections get the new certificate",
    test("tls", "new connections get a certificate that is renewed in its files"),
  ),
  of("counters of reads and errors", row("`certwatcher` metrics")),
  // envtest
  of(
    "configurations from folders, removed at the end",
    row("CRDs and webhook configurations from directories, removed at the end"),
  ),
  of(
    "webhooks of a test are registered and removed",
    test("contract", "the configurations are removed when the cluster is closed"),
  ),
  // Authentication
  of("TokenReview webhooks", row("TokenReview webhooks")),
];

export interface Behaviour {
  /** The behaviour that a test of controller-runtime covers. */
  readonly behaviour: string;
  readonly shownBy: TestTitle | Row;
}

/** A test here, by its file in `files` and its title. */
export interface TestTitle {
  readonly type: "test";
  readonly file: string;
  readonly title: string;
}

/** A row of a table of differences. */
export interface Row {
  readonly type: "row";
  readonly cell: string;
}

function of(behaviour: string, shownBy: TestTitle | Row): Behaviour {
  return { behaviour, shownBy };
}

function test(file: keyof typeof files, title: string): TestTitle {
  return { type: "test", file: files[file], title };
}

function row(cell: string): Row {
  return { type: "row", cell };
}

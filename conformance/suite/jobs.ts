import type { Client } from "trimtab/client";
import { scenario } from "../scenario.ts";
import { statusMessage, wire } from "../wire.ts";

type Labels = Readonly<Record<string, string>>;

interface JobShape {
  readonly metadata: { readonly uid: string; readonly labels?: Labels };
  readonly spec: {
    readonly template: { readonly metadata: { readonly labels: Labels } };
    readonly selector: object;
  };
}

interface JobFields {
  /** The labels of the Job. @default none */
  readonly labels?: Labels;
  /** The labels of its Pods. @default none */
  readonly podLabels?: Labels;
  readonly selector?: object;
}

/** Creates the Job "a". */
function createJob(client: Client, namespace: string, { labels, podLabels, selector }: JobFields) {
  const spec = { containers: [{ name: "c", image: "i" }], restartPolicy: "Never" };
  const body = {
    metadata: { name: "a", labels },
    spec: { selector, template: { metadata: { labels: podLabels }, spec } },
  };
  return wire(client, `POST /apis/batch/v1/namespaces/${namespace}/jobs`, { body });
}

/** Returns labels of a Job, and of its Pods, with the labels that the server adds. */
function withJobLabels(uid: string, labels: Labels = {}): Labels {
  return {
    ...labels,
    "batch.kubernetes.io/controller-uid": uid,
    "batch.kubernetes.io/job-name": "a",
    "controller-uid": uid,
    "job-name": "a",
  };
}

scenario("a Job with labels of its own keeps them, even if its Pods have the same", async (stage) => {
  const { client, namespace, expect } = stage;
  const labels = { app: "a" };
  const { metadata, spec } = (await createJob(client, namespace, { labels, podLabels: labels }))
    .body as JobShape;
  expect(metadata.labels).toEqual(labels);
  expect(spec.template.metadata.labels).toEqual(withJobLabels(metadata.uid, labels));
  expect(spec.selector).toEqual({ matchLabels: { "batch.kubernetes.io/controller-uid": metadata.uid } });
});

scenario("a Job without labels gets those of its Pods", async ({ client, namespace, expect }) => {
  const podLabels = { app: "a", zone: "b" };
  const created = await createJob(client, namespace, { labels: {}, podLabels });
  const { metadata, spec } = created.body as JobShape;
  expect(metadata.labels).toEqual(withJobLabels(metadata.uid, podLabels));
  expect(spec.template.metadata.labels).toEqual(withJobLabels(metadata.uid, podLabels));
  expect(Object.keys(metadata.labels ?? {})).toEqual(Object.keys(metadata.labels ?? {}).sort());
});

scenario("a Job whose Pods have its name as a label is created", async ({ client, namespace, expect }) => {
  const { metadata } = (await createJob(client, namespace, { podLabels: { "job-name": "a" } }))
    .body as JobShape;
  expect(metadata.labels).toEqual(withJobLabels(metadata.uid));
});

const refused: ReadonlyArray<readonly [behaviour: string, fields: JobFields, message: string]> = [
  [
    "the name of another Job as a label of its Pods",
    { podLabels: { "job-name": "other" } },
    'spec.template.metadata.labels[job-name]: Invalid value: {"batch.kubernetes.io/controller-uid":"<uid>","batch.kubernetes.io/job-name":"a","controller-uid":"<uid>","job-name":"other"}: must be \'a\'',
  ],
  [
    "the uid of another Job in its selector",
    { selector: { matchLabels: { "batch.kubernetes.io/controller-uid": "x" } } },
    '[spec.selector: Invalid value: {"matchLabels":{"batch.kubernetes.io/controller-uid":"x"}}: `selector` not auto-generated, spec.template.metadata.labels: Invalid value: {"batch.kubernetes.io/controller-uid":"<uid>","batch.kubernetes.io/job-name":"a","controller-uid":"<uid>","job-name":"a"}: `selector` does not match template `labels`]',
  ],
  [
    "a selector of the user and no manualSelector",
    { podLabels: { app: "a" }, selector: { matchLabels: { app: "a" } } },
    'spec.selector: Invalid value: {"matchLabels":{"app":"a","batch.kubernetes.io/controller-uid":"<uid>"}}: `selector` not auto-generated',
  ],
];

for (const [behaviour, fields, message] of refused) {
  scenario(`a Job with ${behaviour} is refused`, async ({ client, namespace, expect }) => {
    const [status, text] = statusMessage(await createJob(client, namespace, fields));
    const masked = String(text).replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "<uid>");
    expect([status, masked]).toEqual([422, `Job.batch "a" is invalid: ${message}`]);
  });
}

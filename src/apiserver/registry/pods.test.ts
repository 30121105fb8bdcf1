import { expect, test } from "vitest";
import { testServer } from "../requests.fixture.ts";

const pods = "/api/v1/namespaces/default/pods";
const pod = (name: string, spec: object = {}): object => ({
  metadata: { name },
  spec: { containers: [{ name: "c", image: "i:1" }], ...spec },
});

test("a new Pod has the defaults of kube-apiserver", async () => {
  using api = testServer();
  const { metadata, spec, status } = await api.object("POST", pods, pod("a"));
  const toleration = { operator: "Exists", effect: "NoExecute", tolerationSeconds: 300 };
  expect({ generation: metadata.generation, spec, status }).toEqual({
    generation: 1,
    spec: {
      containers: [
        {
          name: "c",
          image: "i:1",
          resources: {},
          terminationMessagePath: "/dev/termination-log",
          terminationMessagePolicy: "File",
          imagePullPolicy: "IfNotPresent",
        },
      ],
      restartPolicy: "Always",
      terminationGracePeriodSeconds: 30,
      dnsPolicy: "ClusterFirst",
      securityContext: {},
      schedulerName: "default-scheduler",
      tolerations: [
        { key: "node.kubernetes.io/not-ready", ...toleration },
        { key: "node.kubernetes.io/unreachable", ...toleration },
      ],
      priority: 0,
      enableServiceLinks: true,
      preemptionPolicy: "PreemptLowerPriority",
    },
    status: { phase: "Pending", qosClass: "BestEffort" },
  });
});

const rejected: ReadonlyArray<readonly [spec: object, message: string]> = [
  [{ containers: [] }, "spec.containers: Required value"],
  [{ containers: [{ name: "c" }] }, "spec.containers[0].image: Required value"],
  [{ initContainers: [{ name: "c", image: "x" }] }, 'spec.initContainers[0].name: Duplicate value: "c"'],
  [
    { restartPolicy: "X" },
    'spec.restartPolicy: Unsupported value: "X": supported values: "Always", "OnFailure", "Never"',
  ],
  [
    { containers: [{ name: "c", image: "x", ports: [{ containerPort: 70000 }] }] },
    "spec.containers[0].ports[0].containerPort: Invalid value: 70000: must be between 1 and 65535, inclusive",
  ],
  [
    { containers: [{ name: "c", image: "x", volumeMounts: [{ name: "z", mountPath: "/a" }] }] },
    'spec.containers[0].volumeMounts[0].name: Not found: "z"',
  ],
  [{ volumes: [{ name: "v" }, { name: "v" }] }, 'spec.volumes[1].name: Duplicate value: "v"'],
];

test.each(rejected)("a Pod with %j is rejected with kube-apiserver's message", async (spec, message) => {
  using api = testServer();
  expect((await api.refusal("POST", pods, pod("a", spec))).message).toBe(`Pod "a" is invalid: ${message}`);
});

test("an update of a Pod may change images, but not add containers or change other fields", async () => {
  using api = testServer();
  await api.object("POST", pods, pod("a", { containers: [{ name: "c", image: "i:1" }], nodeName: "n" }));
  const current = await api.object("GET", `${pods}/a`);
  const [container] = (current.spec as { containers: object[] }).containers;
  const withContainers = (containers: object[]): object => ({
    ...current,
    spec: { ...(current.spec as object), containers },
  });
  const added = await api.refusal(
    "PUT",
    `${pods}/a`,
    withContainers([{ ...container }, { name: "d", image: "x" }]),
  );
  expect(added.message).toBe(
    'Pod "a" is invalid: spec.containers: Forbidden: pod updates may not add or remove containers',
  );
  const other = await api.refusal("PUT", `${pods}/a`, withContainers([{ ...container, command: ["x"] }]));
  expect(other.message).toMatch(/^Pod "a" is invalid: spec: Forbidden: pod updates may not change fields/);
  const updated = await api.object("PUT", `${pods}/a`, withContainers([{ ...container, image: "i:2" }]));
  expect(updated.metadata.generation).toBe(2);
});

test("a Pod on a node is deleted after its grace period, and an unscheduled Pod at once", async () => {
  using api = testServer();
  await api.object("POST", pods, pod("bound", { nodeName: "n" }));
  await api.object("POST", pods, pod("free"));
  const { metadata } = await api.object("DELETE", `${pods}/bound`);
  await api.object("DELETE", `${pods}/free`);
  expect(metadata).toMatchObject({
    deletionTimestamp: "2026-01-01T00:00:30Z",
    deletionGracePeriodSeconds: 30,
    generation: 2,
  });
  expect((await api.list(pods)).items.map((item) => item.metadata.name)).toEqual(["bound"]);
});

test("Pods are selected by node and phase, and unknown fields are rejected", async () => {
  using api = testServer();
  await api.object("POST", pods, pod("bound", { nodeName: "n" }));
  await api.object("POST", pods, pod("free"));
  const { items } = await api.list(`${pods}?fieldSelector=spec.nodeName%3Dn,status.phase%3DPending`);
  expect(items.map((item) => item.metadata.name)).toEqual(["bound"]);
  expect((await api.refusal("GET", `${pods}?fieldSelector=spec.foo%3D1`)).message).toContain(
    "field label not supported: spec.foo",
  );
});

test("a Pod without a priority class gets the default class, and a second default is rejected", async () => {
  using api = testServer();
  const classes = "/apis/scheduling.k8s.io/v1/priorityclasses";
  await api.object("POST", classes, { metadata: { name: "one" }, value: 5, globalDefault: true });
  const second = { metadata: { name: "two" }, value: 6, globalDefault: true };
  expect((await api.refusal("POST", classes, second)).message).toBe(
    'priorityclasses.scheduling.k8s.io "two" is forbidden: PriorityClass one is already marked as default. Only one default can exist',
  );
  const { spec } = await api.object("POST", pods, pod("a"));
  expect(spec).toMatchObject({ priorityClassName: "one", priority: 5 });
});

test("a Pod gets the overhead and the node selector of its runtime class", async () => {
  using api = testServer();
  const runtime = {
    metadata: { name: "vm" },
    handler: "vm",
    overhead: { podFixed: { cpu: "1" } },
    scheduling: { nodeSelector: { vm: "yes" } },
  };
  await api.object("POST", "/apis/node.k8s.io/v1/runtimeclasses", runtime);
  const { spec } = await api.object(
    "POST",
    pods,
    pod("a", { runtimeClassName: "vm", nodeSelector: { a: "b" } }),
  );
  expect(spec).toMatchObject({ overhead: { cpu: "1" }, nodeSelector: { a: "b", vm: "yes" } });
  const other = pod("b", { runtimeClassName: "vm", nodeSelector: { vm: "no" } });
  expect((await api.refusal("POST", pods, other)).message).toBe(
    'pods "b" is forbidden: conflict: runtimeClass.scheduling.nodeSelector[vm] = yes; pod.spec.nodeSelector[vm] = no',
  );
});

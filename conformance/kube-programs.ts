import { fileURLToPath } from "node:url";
import { kubeRelease } from "../src/testing/index.ts";

/** A program built from Go's module system: where its module is, and which package of which dependency it is. */
export interface KubeProgram {
  readonly name: string;
  /** Folder of the go.mod that pins it. */
  readonly module: string;
  readonly package: string;
  /** Go's linker flags. */
  readonly linker: string;
}

const [major, minor] = kubeRelease.slice(1).split(".");

/** What Kubernetes' own build sets, so that `GET /version` tells the release. */
const stamp = Object.entries({
  gitVersion: kubeRelease,
  gitMajor: major,
  gitMinor: minor,
  gitTreeState: "clean",
}).map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`);

/** Symbols and debug information are a third of each file, and nobody debugs them here. */
const strip = "-s -w";

const kube = (name: string): KubeProgram => ({
  name,
  module: fileURLToPath(new URL("./kube", import.meta.url)),
  package: `k8s.io/kubernetes/cmd/${name}`,
  linker: [strip, ...stamp].join(" "),
});

const etcd: KubeProgram = {
  name: "etcd",
  module: fileURLToPath(new URL("./etcd", import.meta.url)),
  package: "go.etcd.io/etcd/server/v3",
  linker: strip,
};

/** What `npm run kube` builds, in order. */
export const kubePrograms: readonly KubeProgram[] = [
  etcd,
  kube("kube-apiserver"),
  kube("kube-controller-manager"),
  kube("kubectl"),
];

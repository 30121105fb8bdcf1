import { fileURLToPath } from "node:url";
import { kubeRelease } from "../src/testing/index.ts";

/** A program built with Go modules: the folder of its module, and its package. */
export interface KubeProgram {
  readonly name: string;
  /** Folder of the go.mod that pins it. */
  readonly module: string;
  readonly package: string;
  /** Go's linker flags. */
  readonly linker: string;
}

const [major, minor] = kubeRelease.slice(1).split(".");

/** The linker flags of Kubernetes' own build, so that `GET /version` returns the release. */
const stamp = Object.entries({
  gitVersion: kubeRelease,
  gitMajor: major,
  gitMinor: minor,
  gitTreeState: "clean",
}).map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`);

/** Strips symbols and debug information, which are a third of each file. */
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

/** The programs that `npm run kube` builds, in order. */
export const kubePrograms: readonly KubeProgram[] = [
  etcd,
  kube("kube-apiserver"),
  kube("kube-controller-manager"),
  kube("kubectl"),
];

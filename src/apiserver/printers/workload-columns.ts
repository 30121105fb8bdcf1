import { type ContainerList, containerImages, containerNames } from "./cell-text.ts";
import { type Column, integer, wide } from "./column.ts";

interface Replicated {
  readonly spec?: { readonly replicas?: number | undefined } | undefined;
  readonly status?:
    | { readonly replicas?: number | undefined; readonly readyReplicas?: number | undefined }
    | undefined;
}

/** The columns of kinds that keep a number of Pods. */
export const replicaColumns: ReadonlyArray<Column<Replicated>> = [
  integer("Desired", ({ spec }) => spec?.replicas ?? 0),
  integer("Current", ({ status }) => status?.replicas ?? 0),
  integer("Ready", ({ status }) => status?.readyReplicas ?? 0),
];

interface Templated {
  readonly spec?:
    | { readonly template?: { readonly spec?: ContainerList | undefined } | undefined }
    | undefined;
}

/** The columns of wide output for kinds with a Pod template. */
export const templateColumns: ReadonlyArray<Column<Templated>> = [
  wide("Containers", ({ spec }) => containerNames(spec?.template?.spec)),
  wide("Images", ({ spec }) => containerImages(spec?.template?.spec)),
];

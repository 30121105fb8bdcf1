import type {
  DeviceClass,
  ResourceClaim,
  ResourceClaimTemplate,
  ResourceSlice,
} from "../../api/types/resource/v1.ts";
import { age, name, type Printable, type Printers, printer, text } from "./column.ts";

export const resource: Printers = {
  DeviceClass: printer<DeviceClass>(name, age),
  ResourceClaim: printer<ResourceClaim>(name, text("State", claimState), age),
  ResourceClaimTemplate: printer<ResourceClaimTemplate>(name, age),
  ResourceSlice: printer<ResourceSlice>(
    name,
    text("Node", ({ spec }) => spec?.nodeName ?? ""),
    text("Driver", ({ spec }) => spec?.driver ?? ""),
    text("Pool", ({ spec }) => spec?.pool?.name ?? ""),
    age,
  ),
};

function claimState({ metadata, status }: Printable<ResourceClaim>): string {
  const states = [
    ...(metadata.deletionTimestamp ? ["deleted"] : []),
    ...(status?.allocation ? ["allocated"] : []),
    ...(status?.reservedFor?.length ? ["reserved"] : []),
  ];
  return states.join(",") || "pending";
}

import type {
  Ingress,
  IngressClass,
  IPAddress,
  NetworkPolicy,
  ServiceCIDR,
} from "../../api/types/networking/v1.ts";
import { firstOf, orNone, selectorText } from "./cell-text.ts";
import { age, asNameColumn, name, type Printable, type Printers, printer, text } from "./column.ts";

export const networking: Printers = {
  Ingress: printer<Ingress>(
    name,
    text("Class", ({ spec }) => orNone(spec?.ingressClassName)),
    text(
      "Hosts",
      ({ spec }) =>
        firstOf(
          (spec?.rules ?? []).flatMap(({ host }) => host || []),
          3,
        ) || "*",
    ),
    text("Address", addressesOf),
    text("Ports", ({ spec }) => (spec?.tls?.length ? "80, 443" : "80")),
    age,
  ),
  IngressClass: printer<IngressClass>(
    asNameColumn(text("Name", classNameOf)),
    text("Controller", ({ spec }) => spec?.controller ?? ""),
    text("Parameters", parametersOf),
    age,
  ),
  NetworkPolicy: printer<NetworkPolicy>(
    name,
    text("Pod-Selector", ({ spec }) => selectorText(spec?.podSelector)),
    age,
  ),
  IPAddress: printer<IPAddress>(name, text("ParentRef", parentOf)),
  ServiceCIDR: printer<ServiceCIDR>(
    name,
    text("CIDRs", ({ spec }) => (spec?.cidrs ?? []).join(",")),
    age,
  ),
};

function addressesOf({ status }: Printable<Ingress>): string {
  const addresses = (status?.loadBalancer?.ingress ?? []).map(({ ip, hostname }) => ip || (hostname ?? ""));
  return [...new Set(addresses)].sort().join(",");
}

function classNameOf({ metadata: { name: objectName = "", annotations } }: Printable<IngressClass>): string {
  return annotations?.["ingressclass.kubernetes.io/is-default-class"] === "true"
    ? `${objectName} (default)`
    : objectName;
}

/** Returns the parameters of a class: `Kind.group/name`. */
function parametersOf({ spec }: Printable<IngressClass>): string {
  const parameters = spec?.parameters;
  if (!parameters) return "<none>";
  const kind = [parameters.kind, ...(parameters.apiGroup ? [parameters.apiGroup] : [])].join(".");
  return `${kind}/${parameters.name}`;
}

/** Returns the parent of an address: `resource.group/namespace/name`. */
function parentOf({ spec }: Printable<IPAddress>): string {
  const { resource = "", group, namespace, name: objectName = "" } = spec?.parentRef ?? {};
  const parts = [group ? `${resource}.${group}` : resource, ...(namespace ? [namespace] : []), objectName];
  return parts.join("/");
}

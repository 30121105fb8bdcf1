import { jsonReply, type Reply } from "./reply.ts";
import type { Template } from "./template.ts";

/**
 * Responds to the startup checks of a client: discovery of the templates' kinds, in the aggregated form, and access
 * reviews, which allow everything. Returns `undefined` for other requests.
 */
export function preflightReply(path: string, templates: readonly Template[]): Reply | undefined {
  switch (path) {
    case "/api":
      return discovery(templates.filter((template) => template.path === "/api/v1"));
    case "/apis":
      return discovery(templates.filter((template) => template.path !== "/api/v1"));
    case "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews":
      return jsonReply({
        apiVersion: "authorization.k8s.io/v1",
        kind: "SelfSubjectAccessReview",
        status: { allowed: true },
      });
    default:
      return undefined;
  }
}

function discovery(templates: readonly Template[]): Reply {
  return jsonReply({
    apiVersion: "apidiscovery.k8s.io/v2",
    kind: "APIGroupDiscoveryList",
    metadata: {},
    items: templates.map(groupOf),
  });
}

function groupOf({ apiVersion, resource, kind }: Template): object {
  const [version = "", group = ""] = apiVersion.split("/").reverse();
  const responseKind = { group, version, kind };
  return {
    metadata: { name: group },
    versions: [
      {
        version,
        freshness: "Current",
        resources: [
          {
            resource,
            responseKind,
            scope: "Namespaced",
            singularResource: kind.toLowerCase(),
            verbs: ["get", "list", "patch", "update", "watch"],
            subresources: [{ subresource: "status", responseKind, verbs: ["get", "patch", "update"] }],
          },
        ],
      },
    ],
  };
}

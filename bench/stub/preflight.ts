import { jsonReply, type Reply } from "./reply.ts";
import type { Template } from "./template.ts";

/**
 * What an API server says to who looks, before the work, whether kinds and rights are there: all that these templates are of
 * are, in the aggregated form, and everybody may do everything. `undefined` where that is not what is asked.
 */
export function answerPreflight(path: string, templates: readonly Template[]): Reply | undefined {
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

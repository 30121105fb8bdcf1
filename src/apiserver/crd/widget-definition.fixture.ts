import type { CustomResourceDefinition } from "../../api/types/apiextensions/v1.ts";

/** Returns a definition of Widget that kube-apiserver accepts. */
export function widgetDefinition(): CustomResourceDefinition {
  const size = { type: "integer", minimum: 1, default: 1 };
  const colour = { type: "string", enum: ["red", "blue"] };
  const tags = { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } };
  const properties = {
    spec: { type: "object", properties: { size, colour, tags } },
    status: { type: "object", properties: { seen: { type: "integer" } } },
  };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "widgets.example.dev" },
    spec: {
      group: "example.dev",
      scope: "Namespaced",
      names: { plural: "widgets", kind: "Widget" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: { type: "object", properties } },
        },
      ],
    },
  } as unknown as CustomResourceDefinition;
}

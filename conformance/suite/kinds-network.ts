import { type RefusedRow, refusedInWords } from "../refused-row.ts";

/** Path, object, and the server's error. */
const rows: readonly RefusedRow[] = [
  [
    "/api/v1/namespaces/{ns}/services",
    {
      spec: {
        ports: [
          { port: 0, protocol: "Q", targetPort: "A_B" },
          { port: 80, name: "b", nodePort: 30000 },
          { port: 80, name: "c" },
        ],
        sessionAffinity: "Y",
      },
    },
    'Service "a" is invalid: [spec.ports[0].name: Required value, spec.ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive, spec.ports[0].protocol: Unsupported value: "Q": supported values: "SCTP", "TCP", "UDP", spec.ports[0].targetPort: Invalid value: "A_B": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-), spec.ports[0].targetPort: Invalid value: "A_B": must contain at least one letter (a-z), spec.sessionAffinity: Unsupported value: "Y": supported values: "ClientIP", "None", spec.ports[1].nodePort: Forbidden: may not be used when `type` is \'ClusterIP\', spec.ports[2]: Duplicate value: {"Name":"","Protocol":"TCP","AppProtocol":null,"Port":80,"TargetPort":0,"NodePort":0}]',
  ],
  [
    "/api/v1/namespaces/{ns}/services",
    { spec: { type: "X", ports: [{ port: 80 }] } },
    'Service "a" is invalid: spec.type: Unsupported value: "X": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
  ],
  [
    "/api/v1/namespaces/{ns}/services",
    { spec: { type: "ExternalName", externalName: "A_B" } },
    "Service \"a\" is invalid: spec.externalName: Invalid value: \"A_B\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
  ],
  [
    "/api/v1/namespaces/{ns}/services",
    { spec: { type: "NodePort", clusterIP: "None", ports: [{ port: 80 }] } },
    'Service "a" is invalid: spec.clusterIPs[0]: Invalid value: "None": may not be set to \'None\' for NodePort services',
  ],
  [
    "/api/v1/namespaces/{ns}/services",
    { spec: { type: "NodePort", ports: [{ port: 80, nodePort: 80 }] } },
    'Service "a" is invalid: spec.ports[0].nodePort: Invalid value: 80: provided port is not in the valid range. The range of valid ports is 30000-32767',
  ],
  [
    "/api/v1/namespaces/{ns}/services",
    { spec: { clusterIP: "foo", ports: [{ port: 80 }] } },
    'Service "a" is invalid: spec.clusterIPs[0]: Invalid value: "foo": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
  ],
  [
    "/api/v1/namespaces/{ns}/services",
    { spec: { ports: [{ port: 80 }], ipFamilyPolicy: "RequireDualStack" } },
    'Service "a" is invalid: spec.ipFamilyPolicy: Invalid value: "RequireDualStack": this cluster is not configured for dual-stack services',
  ],
  [
    "/api/v1/namespaces/{ns}/services",
    { spec: { ports: [{ port: 80 }], externalTrafficPolicy: "Local", loadBalancerClass: "x/y" } },
    'Service "a" is invalid: [spec.loadBalancerClass: Forbidden: may only be used when `type` is \'LoadBalancer\', spec.externalTrafficPolicy: Invalid value: "Local": may only be set for externally-accessible services]',
  ],
  [
    "/apis/discovery.k8s.io/v1/namespaces/{ns}/endpointslices",
    {
      addressType: "IPv4",
      endpoints: [{ addresses: [] }, { addresses: ["x", "127.0.0.1"] }],
      ports: [{ name: "A_", protocol: "Q" }],
    },
    'EndpointSlice.discovery.k8s.io "a" is invalid: [ports[0].name: Invalid value: "A_": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or \'-\', and must start and end with an alphanumeric character (e.g. \'my-name\',  or \'123-abc\', regex used for validation is \'[a-z0-9]([-a-z0-9]*[a-z0-9])?\'), ports[0].protocol: Unsupported value: "Q": supported values: "SCTP", "TCP", "UDP", endpoints[0].addresses: Required value: must contain at least 1 address, endpoints[1].addresses[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff), endpoints[1].addresses[1]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)]',
  ],
  [
    "/apis/networking.k8s.io/v1/namespaces/{ns}/ingresses",
    {},
    'Ingress.networking.k8s.io "a" is invalid: spec: Invalid value: null: either `defaultBackend` or `rules` must be specified',
  ],
  [
    "/apis/networking.k8s.io/v1/namespaces/{ns}/ingresses",
    {
      spec: {
        rules: [
          {
            host: "1.2.3.4",
            http: {
              paths: [
                { path: "x", backend: {} },
                { path: "/a//b", pathType: "Exact", backend: { service: { name: "s", port: {} } } },
              ],
            },
          },
        ],
      },
    },
    'Ingress.networking.k8s.io "a" is invalid: [spec.rules[0].host: Invalid value: "1.2.3.4": must be a DNS name, not an IP address, spec.rules[0].http.paths[0].pathType: Required value: pathType must be specified, spec.rules[0].http.paths[1].path: Invalid value: "/a//b": must not contain \'//\', spec.rules[0].http.paths[1].backend: Required value: port name or number is required]',
  ],
  [
    "/apis/networking.k8s.io/v1/namespaces/{ns}/networkpolicies",
    {
      spec: {
        ingress: [
          {
            from: [{}, { ipBlock: { cidr: "x" } }],
            ports: [
              { protocol: "Q", port: 0 },
              { port: 10, endPort: 5 },
            ],
          },
        ],
      },
    },
    'NetworkPolicy.networking.k8s.io "a" is invalid: [spec.ingress[0].ports[0].protocol: Unsupported value: "Q": supported values: "TCP", "UDP", "SCTP", spec.ingress[0].ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive, spec.ingress[0].ports[1].endPort: Invalid value: 10: must be greater than or equal to `port`, spec.ingress[0].from[0]: Required value: must specify a peer, spec.ingress[0].from[1].ipBlock.cidr: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)]',
  ],
  [
    "/apis/networking.k8s.io/v1/ingressclasses",
    { spec: { controller: "a b", parameters: { kind: "", name: "", scope: "X" } } },
    'IngressClass.networking.k8s.io "a" is invalid: [spec.controller: Invalid value: "a b": must be a domain-prefixed path (such as "acme.io/foo"), spec.parameters.kind: Required value, spec.parameters.name: Required value, spec.parameters.scope: Unsupported value: "X": supported values: "Cluster", "Namespace"]',
  ],
  [
    "/apis/networking.k8s.io/v1/servicecidrs",
    { spec: { cidrs: ["x"] } },
    'ServiceCIDR.networking.k8s.io "a" is invalid: spec.cidrs[0]: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
  ],
];

for (const row of rows) refusedInWords(row);

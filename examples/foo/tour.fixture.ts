/** The lines that the tour prints with every controller of Foos. */
export const tourLines: readonly string[] = [
  "> create the Foo example-foo, which wants the Deployment web with 1 replica",
  "  the Deployment web exists with 1 replica, controlled by Foo example-foo",
  "> scale the Deployment to 5 by hand",
  "  the controller scales it back to 1 replica",
  "> delete the Deployment by hand",
  "  the controller creates it again",
  "> set the Foo to 3 replicas",
  "  the Deployment is scaled to 3 replicas",
  "> set 2 of them to available",
  "  the status of the Foo has 2 available replicas",
  "> create the Deployment taken without an owner, and a Foo that wants it",
  '  the Deployment is unchanged, and greedy-foo has an event: Resource "taken" already exists and is not managed by Foo',
];

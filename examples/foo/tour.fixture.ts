/** What the tour tells, whatever controller it is of. */
export const told: readonly string[] = [
  "> make the Foo example-foo, which wants the Deployment web with 1 replica",
  "  the Deployment web is there, with 1 replica, controlled by Foo example-foo",
  "> scale the Deployment to 5 by hand",
  "  it is put right: 1 replica",
  "> delete the Deployment by hand",
  "  it is made again",
  "> have the Foo want 3 replicas",
  "  the Deployment follows: 3 replicas",
  "> have 2 of them become available",
  "  the status of the Foo says so: 2 available",
  "> make a Deployment taken that is nobody's, and a Foo that wants it",
  '  it is left alone, and greedy-foo has an event: Resource "taken" already exists and is not managed by Foo',
];

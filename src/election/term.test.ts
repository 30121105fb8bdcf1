import { expect, test } from "vitest";
import { type Clock, VirtualClock } from "../base/index.ts";
import { ClockWatch } from "./clock-watch.ts";
import { LeadershipLostError, Term } from "./term.ts";

/** A machine whose process can be stopped, and whose wall clock can be set. */
class Machine implements Clock {
  readonly time = new VirtualClock();
  /** Offset of the wall clock. */
  setByMs = 0;
  /** How long the monotonic clock stood still, as on machines that sleep. */
  sleptMs = 0;
  /** While true, no timer fires. */
  stopped = false;
  readonly watch = new ClockWatch(this);

  now(): number {
    return this.time.now() + this.setByMs;
  }

  monotonic(): number {
    return this.time.monotonic() - this.sleptMs;
  }

  timer(afterMs: number, run: () => void): ReturnType<Clock["timer"]> {
    return this.time.timer(afterMs, () => {
      if (!this.stopped) run();
    });
  }
}

function startTerm(machine: Machine, sent = machine.watch.read()): Term {
  return new Term(sent, { lastsMs: 10_000, lease: "default/crown", clock: machine, watch: machine.watch });
}

test("a term lasts for its duration after its start or last renewal, and its signal aborts at the end", async () => {
  const machine = new Machine();
  const term = startTerm(machine);
  await machine.time.advance(9000);
  term.renew(machine.watch.read());
  await machine.time.advance(9999);
  expect([term.over, term.signal.aborted]).toEqual([false, false]);
  await machine.time.advance(1);
  expect(term.signal.aborted).toBe(true);
  expect(term.signal.reason).toEqual(
    new LeadershipLostError("expected to renew lease default/crown within 10000 ms, got no success"),
  );
  expect(machine.time.timers).toBe(0);
});

test("a paused process finds out that its term is over without a timer", async () => {
  const machine = new Machine();
  const term = startTerm(machine);
  machine.stopped = true;
  await machine.time.advance(10_000);
  expect(term.signal.aborted).toBe(false);
  expect([term.over, term.signal.aborted]).toEqual([true, true]);
});

test("a term that is over cannot be renewed, even if the end was not noticed", async () => {
  const machine = new Machine();
  const term = startTerm(machine);
  machine.stopped = true;
  await machine.time.advance(10_000);
  term.renew(machine.watch.read());
  expect(term.over).toBe(true);
});

test("a term is in doubt after its machine slept, until a renewal that was sent afterwards", async () => {
  const machine = new Machine();
  const term = startTerm(machine);
  const before = machine.watch.read();
  machine.stopped = true;
  await machine.time.advance(60_000);
  machine.sleptMs = 60_000;
  expect([machine.monotonic(), term.over, term.inDoubt]).toEqual([0, false, true]);
  const next = term.renewal;
  term.renew(before);
  await next;
  expect(term.inDoubt).toBe(true);
  term.renew(machine.watch.read());
  expect([term.over, term.inDoubt]).toEqual([false, false]);
});

test("a term stays in doubt when the wall clock is set back, until a renewal that was sent after the sleep", () => {
  const machine = new Machine();
  const term = startTerm(machine);
  const before = machine.watch.read();
  machine.setByMs = 40_000;
  expect(term.inDoubt).toBe(true);
  machine.setByMs = -3_600_000;
  expect(term.inDoubt).toBe(true);
  term.renew(before);
  expect(term.inDoubt).toBe(true);
  term.renew(machine.watch.read());
  expect(term.inDoubt).toBe(false);
});

test("a wall clock that runs ahead by up to a second causes no doubt", () => {
  const machine = new Machine();
  const term = startTerm(machine);
  machine.setByMs = 1000;
  expect(term.inDoubt).toBe(false);
  machine.setByMs = 1001;
  expect(term.inDoubt).toBe(true);
});

test("a step of the wall clock does not change the duration of a term", async () => {
  for (const setByMs of [-3_600_000, 3_600_000]) {
    const machine = new Machine();
    const term = startTerm(machine);
    machine.setByMs = setByMs;
    await machine.time.advance(9999);
    expect([term.over, term.inDoubt]).toEqual([false, setByMs > 0]);
    await machine.time.advance(1);
    expect([term.over, term.inDoubt]).toEqual([true, false]);
  }
});

test("the end of a term also resolves waits for its renewal", async () => {
  const machine = new Machine();
  const term = startTerm(machine);
  machine.setByMs = 2000;
  const next = term.renewal;
  await machine.time.advance(10_000);
  await next;
  expect(term.over).toBe(true);
});

test("a term that is ended is over with that reason, and leaves no timer", () => {
  const machine = new Machine();
  const term = startTerm(machine);
  const reason = new Error("enough");
  term.end(reason);
  term.end(new Error("again"));
  expect([term.over, term.signal.reason, machine.time.timers]).toEqual([true, reason, 0]);
});

test("a lease acquired with a response after its time starts no term", async () => {
  const machine = new Machine();
  const sent = machine.watch.read();
  await machine.time.advance(10_000);
  const term = startTerm(machine, sent);
  expect([term.over, machine.time.timers]).toEqual([true, 0]);
});

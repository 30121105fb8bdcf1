import { ConfigMap } from "trimtab/api/core/v1";
import type { Client } from "trimtab/client";
import { below, type Chance } from "./chance.ts";

/** Creates, changes and deletes ConfigMaps at random. */
export class Writer {
  readonly #client: Client;
  readonly #chance: Chance;
  readonly #there = new Set<string>();
  writes = 0;

  constructor(client: Client, chance: Chance) {
    this.#client = client;
    this.#chance = chance;
  }

  /** Creates the object whose reconcile does not return. Called once, before `touchStuck`. */
  async createStuck(): Promise<void> {
    await this.#client.create(ConfigMap, { metadata: { name: stuckName }, data: { write: "0" } });
  }

  /** Changes that object, so that its key gets another event. */
  async touchStuck(): Promise<void> {
    this.writes += 1;
    const data = { write: `${this.writes}` };
    await this.#client.patch(ConfigMap, { name: stuckName }, { merge: { data } });
  }

  async write(): Promise<void> {
    const name = `map-${below(this.#chance, names)}`;
    const data = { text: "x".repeat(below(this.#chance, 2000)), write: `${this.writes}` };
    this.writes += 1;
    if (!this.#there.has(name)) await this.#create(name, data);
    else if (this.#chance.next() < 0.2) await this.#delete(name);
    else await this.#client.patch(ConfigMap, { name }, { merge: { data } });
  }

  async #create(name: string, data: Record<string, string>): Promise<void> {
    const labels = { half: below(this.#chance, 2) === 0 ? "left" : "right" };
    await this.#client.create(ConfigMap, { metadata: { name, labels }, data });
    this.#there.add(name);
  }

  async #delete(name: string): Promise<void> {
    await this.#client.delete(ConfigMap, { name });
    this.#there.delete(name);
  }
}

const names = 500;

export const stuckName = "stuck";

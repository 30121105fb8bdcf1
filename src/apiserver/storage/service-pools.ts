import type { Service, ServiceSpec } from "../../api/types/core/v1.ts";
import { below, type Rng } from "../../base/index.ts";
import type { Allocator } from "../types/resource.ts";
import { noServiceAddress, serviceAddress, serviceAddresses } from "./service-range.ts";
import type { Storage, StorageChange, StoredEntry } from "./storage.ts";

type Pool = "clusterIP" | "nodePort";

/** The pools of Service addresses and ports. A value that no stored Service has is free. */
export class ServicePools implements Disposable {
  readonly #rng: Rng;
  /** The number of stored Services that have a value, by pool and value. */
  readonly #used = { clusterIP: new Map<string, number>(), nodePort: new Map<string, number>() };
  readonly #changes: Disposable;

  constructor(storage: Storage, prefix: string, rng: Rng) {
    this.#rng = rng;
    for (const stored of storage.list(prefix).items) this.#count(stored, 1);
    this.#changes = storage.onChange(prefix, (change) => this.#follow(change));
  }

  [Symbol.dispose](): void {
    this.#changes[Symbol.dispose]();
  }

  /**
   * Returns an allocator for one write. Its values are in use once the Service is stored, and stay free if it is not.
   */
  allocator(dryRun = false): Allocator {
    return dryRun ? dryRunAllocator() : this.#allocator();
  }

  #allocator(): Allocator {
    const taken = new Set<string>();
    const isFree = (pool: Pool, value: string): boolean => !taken.has(value) && !this.#used[pool].has(value);
    return {
      take: (pool, requested) => {
        const value = requested ?? this.#free(pool, isFree);
        if (value === undefined || !isFree(pool, value)) return undefined;
        taken.add(value);
        return value;
      },
    };
  }

  /** Returns the first free value from a random position on. */
  #free(pool: Pool, isFree: (pool: Pool, value: string) => boolean): string | undefined {
    const { size, value } = ranges[pool];
    const start = below(this.#rng, size);
    for (let offset = 0; offset < size; offset++) {
      const candidate = value((start + offset) % size);
      if (isFree(pool, candidate)) return candidate;
    }
    return undefined;
  }

  #follow({ before, after }: StorageChange): void {
    if (before) this.#count(before, -1);
    if (after) this.#count(after, 1);
  }

  #count({ json }: StoredEntry, by: 1 | -1): void {
    const { spec } = JSON.parse(json) as Service;
    for (const address of spec?.clusterIPs ?? []) add(this.#used.clusterIP, address, by);
    for (const nodePort of nodePortsOf(spec ?? {})) add(this.#used.nodePort, String(nodePort), by);
  }
}

/** Returns the distinct node ports, because several ports can share one. */
function nodePortsOf({ ports = [], healthCheckNodePort }: ServiceSpec): Set<number> {
  const all = [...ports.map(({ nodePort }) => nodePort), healthCheckNodePort];
  return new Set(all.filter((port): port is number => !!port));
}

/**
 * Returns the allocator of a dry run, which allocates nothing. It returns the requested values, and examples otherwise.
 */
function dryRunAllocator(): Allocator {
  const ports = new Set<number>();
  return {
    take(pool, requested) {
      if (pool === "clusterIP") return requested ?? noServiceAddress;
      const port =
        requested === undefined
          ? Math.max(...(ports.size > 0 ? ports : [lastPort + 1])) + 1
          : Number(requested);
      if (ports.has(port)) return undefined;
      ports.add(port);
      return String(port);
    },
  };
}

function add(counts: Map<string, number>, value: string, by: number): void {
  const count = (counts.get(value) ?? 0) + by;
  if (count > 0) counts.set(value, count);
  else counts.delete(value);
}

interface Range {
  readonly size: number;
  value(index: number): string;
}

const [firstPort, lastPort] = [30_000, 32_767];

const ranges: Readonly<Record<Pool, Range>> = {
  clusterIP: { size: serviceAddresses, value: serviceAddress },
  nodePort: { size: lastPort - firstPort + 1, value: (index) => String(firstPort + index) },
};

import type { Clock } from './clock.ts';
import type { Process } from './process.ts';
import { Redis } from './redis.ts';

/** The connections of a process to Redis that `@mcp/redis` has, in the order in which it opens them. */
export const connectionNames = ['commands', 'listener'] as const;
export type ConnectionName = (typeof connectionNames)[number];

/** A connection of a process. */
export interface Client {
  /** The channels to which it is subscribed. */
  readonly channels: readonly string[];
  /** Loses the connection. */
  cut(): void;
  /** Delays everything on the connection; one that is silent for too long is lost. */
  silence(ms: number): void;
}

/** Redis, and the connections of all processes to it. */
export class Network {
  readonly redis: Redis;
  isUp = true;
  readonly #clients = new Map<Process, Client[]>();

  constructor(clock: Clock) {
    this.redis = new Redis(clock);
  }

  /** Called with each client of a process. */
  enter(process: Process, client: Client): void {
    const clients = this.#clients.get(process);
    if (clients) clients.push(client);
    else this.#clients.set(process, [client]);
    process.whenDead.push(() => this.#clients.delete(process));
  }

  /** The most clients that one process has. */
  get mostClients(): number {
    let most = 0;
    for (const clients of this.#clients.values()) most = Math.max(most, clients.length);
    return most;
  }

  clientOf(process: Process, name: ConnectionName): Client | undefined {
    return this.#clients.get(process)?.[connectionNames.indexOf(name)];
  }

  /** Stops Redis: each connection is lost, and no other can be opened. */
  stop(): void {
    this.isUp = false;
    for (const clients of this.#clients.values()) for (const client of clients) client.cut();
  }
}

import type { Replica } from './replica.ts';
import type { World } from './world.ts';

/** What the clients of a world have in common. */
export interface Context {
  readonly world: World;
  readonly replicas: readonly Replica[];
  /** The tasks that are over, with their state. */
  readonly tasks: Map<string, string>;
  anyReplica(): Replica;
  /** The number of texts of a stream that are stored after an event. */
  storedAfter(eventId: string): number;
  /** Called with what must not have happened. */
  violated(what: string): void;
}

/** A process of the simulation: a replica, or the clients. Its events are dropped when it ends. */
export class Process {
  readonly name: string;
  alive = true;
  /** Until when it is stopped, as by SIGSTOP. */
  pausedUntil = 0;
  /** When something last happened to it that may make others take it for dead. */
  disturbedAt = -Infinity;
  /** What happens when it dies. */
  readonly whenDead: (() => void)[] = [];

  constructor(name: string) {
    this.name = name;
  }
}

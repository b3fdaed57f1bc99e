import { existsSync } from 'node:fs';
import type { Stop, Watcher } from '@mcp/watch';
import type { Boundary } from '../access/allowed-directories.ts';

/** Tells of changes of what may be touched, whether it exists yet or not. */
export class PathWatcher {
  readonly #boundary: Boundary;
  readonly #warn: ((message: string) => void) | undefined;
  #watcher: Watcher | undefined;

  constructor(boundary: Boundary, warn: ((message: string) => void) | undefined) {
    this.#boundary = boundary;
    this.#warn = warn;
  }

  /** Calls `changed` after each change of what a path leads to. Resolves when no later change can be missed. */
  async watch(asked: string, changed: () => void): Promise<Stop> {
    const locate = () => this.#boundary.locate(asked, { parents: true });
    const real = locate();
    // By its own letters, for a link on the way may come to lead elsewhere; unless it is only spelled like what is there.
    const wanted = this.#boundary.wanted(asked);
    const path = existsSync(real) && !existsSync(wanted) ? real : wanted;
    // Loaded by the first subscription: most conversations have none.
    const { identityOrAbsenceOf, Watcher } = await import('@mcp/watch');
    this.#watcher ??= new Watcher({ warn: this.#warn });
    return this.#watcher.watch(path, changed, {
      // A link may have come to lead outside; what is there is not compared, so nobody learns of its changes.
      identity: async () => identityOrAbsenceOf(locate()),
    });
  }

  close(): void {
    this.#watcher?.close();
  }
}

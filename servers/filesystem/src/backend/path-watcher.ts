import type { Stop, Watcher } from '@mcp/watch';
import type { Boundary } from './boundary.ts';

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
    const path = locate();
    // Loaded by the first subscription: most conversations have none.
    const { identityOrAbsenceOf, Watcher } = await import('@mcp/watch');
    this.#watcher ??= new Watcher({ warn: this.#warn });
    return this.#watcher.watch(path, changed, {
      async identity(real) {
        // A link may have come to lead outside; what is there is not compared, so nobody learns of its changes.
        locate();
        return identityOrAbsenceOf(real);
      },
    });
  }

  close(): void {
    this.#watcher?.close();
  }
}

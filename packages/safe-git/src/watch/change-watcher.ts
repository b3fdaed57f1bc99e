import type { Stop, Watcher } from '@mcp/watch';
import type { Aspect } from './watched-aspect.ts';
import type { Repository } from '../repository.ts';

/** Notifies when any program has changed a repository. */
export class ChangeWatcher {
  readonly #warn: ((message: string) => void) | undefined;
  #watcher: Watcher | undefined;

  constructor(warn: ((message: string) => void) | undefined) {
    this.#warn = warn;
  }

  /** Calls `changed` after each change of one aspect. Resolves once every later change will be detected. */
  async watch(repository: Repository, aspect: Aspect, changed: () => void): Promise<Stop> {
    // These modules are imported at the first subscription, because most sessions have none.
    const [{ Watcher }, { AspectWatch }] = await Promise.all([
      import('@mcp/watch'),
      import('./aspect-watch.ts'),
    ]);
    this.#watcher ??= new Watcher({ onWarning: this.#warn, maxDirectories: 8_192 });
    const watch = new AspectWatch(this.#watcher, repository, aspect, changed);
    try {
      await watch.arm();
    } catch (error) {
      watch.close();
      throw error;
    }
    return () => watch.close();
  }

  close(): void {
    this.#watcher?.close();
  }
}

import { existsSync } from 'node:fs';
import type { Stop, Watcher } from '@mcp/watch';
import type { AllowedDirectories } from '../access/allowed-directories.ts';

/** Watches paths inside the allowed directories, whether they exist yet or not. */
export class ChangeWatcher {
  readonly #allowed: AllowedDirectories;
  readonly #warn: ((message: string) => void) | undefined;
  #watcher: Watcher | undefined;

  constructor(allowed: AllowedDirectories, warn: ((message: string) => void) | undefined) {
    this.#allowed = allowed;
    this.#warn = warn;
  }

  /**
   * Calls `changed` after each change of the target of a path. Resolves when no later change can be missed.
   */
  async watch(requestedPath: string, changed: () => void): Promise<Stop> {
    const locate = () => this.#allowed.locate(requestedPath, { parents: true });
    const real = locate();
    // The lexical path, because a symlink on the way may change; the real one where only
    // the spelling differs.
    const lexicalPath = this.#allowed.lexicalPath(requestedPath);
    const path = existsSync(real) && !existsSync(lexicalPath) ? real : lexicalPath;
    // Loaded by the first subscription: most conversations have none.
    const { identityOrAbsenceOf, Watcher } = await import('@mcp/watch');
    this.#watcher ??= new Watcher({ warn: this.#warn });
    return this.#watcher.watch(path, changed, {
      // A symlink may lead outside by now: `locate` throws then, and changes out there are not reported.
      identity: async () => identityOrAbsenceOf(locate()),
    });
  }

  close(): void {
    this.#watcher?.close();
  }
}

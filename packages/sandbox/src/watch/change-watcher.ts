import { existsSync } from 'node:fs';
import type { Stop, Watcher } from '@mcp/watch';
import type { AllowedDirectories } from '../access/allowed-directories.ts';

/** Watches paths inside the allowed directories, even if they do not exist yet. */
export class ChangeWatcher {
  readonly #allowed: AllowedDirectories;
  readonly #warn: ((message: string) => void) | undefined;
  #watcher: Watcher | undefined;

  constructor(allowed: AllowedDirectories, warn: ((message: string) => void) | undefined) {
    this.#allowed = allowed;
    this.#warn = warn;
  }

  /**
   * Calls `changed` after each change of the entry at a path. No change after the promise has resolved is
   * missed.
   */
  async watch(requestedPath: string, changed: () => void): Promise<Stop> {
    const locate = () => this.#allowed.locate(requestedPath, { parents: true });
    const real = locate();
    // Watches the path as it was requested, because a symlink in it may change. If the request has a name in
    // another Unicode form, the requested path does not exist, and the real path is watched.
    const lexicalPath = this.#allowed.lexicalPath(requestedPath);
    const path = existsSync(real) && !existsSync(lexicalPath) ? real : lexicalPath;
    // Loaded by the first subscription, because most clients subscribe to nothing.
    const { identityOrAbsenceOf, Watcher } = await import('@mcp/watch');
    this.#watcher ??= new Watcher({ onWarning: this.#warn });
    return this.#watcher.watch(path, changed, {
      // If a symlink now leads out of the allowed directories, `locate` throws, so changes there are not
      // reported.
      identity: async () => identityOrAbsenceOf(locate()),
    });
  }

  close(): void {
    this.#watcher?.close();
  }
}

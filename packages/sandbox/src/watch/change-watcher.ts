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
   * Calls `changed` after each change of what the path leads to. Resolves when the watch has begun, so that
   * no later change is missed.
   */
  async watch(requestedPath: string, changed: () => void): Promise<Stop> {
    const locate = () => this.#allowed.locate(requestedPath, { parents: true });
    const real = locate();
    // The lexical path is watched, because a symlink on it may change; the real path only if the lexical one
    // does not exist because it is spelled in another Unicode form.
    const lexicalPath = this.#allowed.lexicalPath(requestedPath);
    const path = existsSync(real) && !existsSync(lexicalPath) ? real : lexicalPath;
    // Loaded by the first subscription, because most clients never subscribe.
    const { identityOrAbsenceOf, Watcher } = await import('@mcp/watch');
    this.#watcher ??= new Watcher({ onWarning: this.#warn });
    return this.#watcher.watch(path, changed, {
      // If a symlink leads outside meanwhile, `locate` throws, and changes out there are not reported.
      identity: async () => identityOrAbsenceOf(locate()),
    });
  }

  close(): void {
    this.#watcher?.close();
  }
}

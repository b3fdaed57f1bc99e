import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ComparedValue, type Watcher } from '@mcp/watch';
import { status } from '../commands/work-tree/status.ts';
import type { Repository } from '../repository.ts';
import { RecursiveWatch } from './recursive-watch.ts';
import { identityOf, needsWorkTree, type Aspect } from './watched-aspect.ts';

/**
 * The watched aspect is read after this number of milliseconds without an event, because a git command
 * changes several files one after the other. If a read took longer, `ComparedValue` waits for as long as the
 * read took.
 */
const settleMs = 100;
const maxWaitMs = 1_500;
/** The directories inside the common git directory that are watched with all their subdirectories. */
const watchedDirectories = ['info', 'refs', 'reftable'];

interface WatchedDirectory {
  readonly watch: RecursiveWatch;
  /** Returns a function that tells whether the subdirectory at a path is to be watched at present. */
  readonly filter: () => Promise<(path: string) => boolean>;
}

/** Watches one aspect of a repository, such as its status, and calls `changed`. */
export class AspectWatch {
  readonly #watcher: Watcher;
  readonly #repository: Repository;
  readonly #value: ComparedValue;
  readonly #directories: WatchedDirectory[] = [];
  readonly #aspect: Aspect;

  constructor(watcher: Watcher, repository: Repository, aspect: Aspect, changed: () => void) {
    this.#watcher = watcher;
    this.#repository = repository;
    this.#aspect = aspect;
    this.#value = new ComparedValue({
      read: () => this.#read(),
      changed,
      debounce: { settleMs, maxWaitMs },
      isBusy: () => this.#isLocked(),
    });
  }

  /** Starts the watch. Resolves once every later change will be detected. */
  async arm(): Promise<void> {
    const { gitDir, commonDir, top, bare } = await this.#repository.layout();
    this.#add(commonDir, async () => (path) => {
      const [first = ''] = relative(commonDir, path).split(/[\\/]/);
      return watchedDirectories.includes(first);
    });
    if (gitDir !== commonDir) this.#add(gitDir, async () => () => false);
    if (!bare && needsWorkTree(this.#aspect)) this.#add(top, () => this.#notIgnored(top));
    await this.#value.start();
  }

  close(): void {
    this.#value.stop();
    for (const { watch } of this.#directories) watch.close();
  }

  #add(directory: string, filter: WatchedDirectory['filter']): void {
    const watch = new RecursiveWatch(this.#watcher, directory, () => this.#value.trigger());
    this.#directories.push({ watch, filter });
  }

  /** Reads the aspect. Before that, watches new directories, and ends the watches of deleted ones. */
  async #read(): Promise<string> {
    for (const { watch, filter } of this.#directories) await watch.refresh(await filter());
    try {
      return await identityOf(this.#repository, this.#aspect);
    } catch (error) {
      return `failed ${String(error)}`;
    }
  }

  /** Whether git holds the lock of the index. When git removes the lock, the aspect is read again. */
  async #isLocked(): Promise<boolean> {
    const { gitDir } = await this.#repository.layout().catch(() => ({ gitDir: '' }));
    return existsSync(join(gitDir, 'index.lock'));
  }

  /** Selects directories of the work tree that are not ignored, and not in another repository. */
  async #notIgnored(top: string): Promise<(path: string) => boolean> {
    const { ignored } = await this.#repository
      .run(status({ ignored: true }))
      .catch(() => ({ ignored: [] as readonly string[] }));
    const excluded = new Set(
      ignored.filter((path) => path.endsWith('/')).map((path) => join(top, path.slice(0, -1))),
    );
    return (path) => !excluded.has(path) && !existsSync(join(path, '.git')) && path !== join(top, '.git');
  }
}

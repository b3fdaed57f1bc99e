import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Watcher } from '@mcp/watch';
import { identityOf, needsWorkTree, type Aspect } from './watched-aspect.ts';
import { status } from '../commands/status.ts';
import { RecursiveWatch } from './recursive-watch.ts';
import type { Repository } from '../repository.ts';

/**
 * One command of git touches several files, one after the other: it has ended when nothing moves any more, for at
 * least this long, and for as long as a look takes. On a busy machine git takes longer, too.
 */
const quietMs = 100;
const maxWaitMs = 1_500;

/** One watched aspect: hears of what may be a change, lets it settle, compares, and tells only of what is one. */
export class AspectWatch {
  readonly #watcher: Watcher;
  readonly #repository: Repository;
  readonly #aspect: Aspect;
  readonly #changed: () => void;
  #trees: { tree: RecursiveWatch; enters: () => Promise<(path: string) => boolean> }[] = [];
  #last: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #since = 0;
  #quietMs = quietMs;
  #checking = false;
  #again = false;
  #closed = false;

  constructor(watcher: Watcher, repository: Repository, aspect: Aspect, changed: () => void) {
    this.#watcher = watcher;
    this.#repository = repository;
    this.#aspect = aspect;
    this.#changed = changed;
  }

  async arm(): Promise<void> {
    const { gitDir, commonDir, top, bare } = await this.#repository.layout();
    const heard = () => this.#heard();
    const within = (names: readonly string[]) => async () => (path: string) => {
      const [first = ''] = relative(commonDir, path).split(/[\\/]/);
      return names.includes(first);
    };
    const none = async () => () => false;
    this.#trees.push({
      tree: new RecursiveWatch(this.#watcher, commonDir, heard),
      enters: within(['refs', 'reftable']),
    });
    if (gitDir !== commonDir) {
      this.#trees.push({ tree: new RecursiveWatch(this.#watcher, gitDir, heard), enters: none });
    }
    if (!bare && needsWorkTree(this.#aspect)) {
      this.#trees.push({
        tree: new RecursiveWatch(this.#watcher, top, heard),
        enters: () => this.#notIgnored(top),
      });
    }
    await this.#refresh();
    this.#last = await this.#identity();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    for (const { tree } of this.#trees) tree.close();
  }

  #heard(): void {
    if (this.#closed) return;
    if (this.#checking) {
      this.#again = true;
      return;
    }
    this.#since ||= Date.now();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#settled(), this.#quietMs);
  }

  async #settled(): Promise<void> {
    const { gitDir } = await this.#repository.layout().catch(() => ({ gitDir: '' }));
    // Git is in the midst of something; taking the lock away will be heard of too.
    if (existsSync(join(gitDir, 'index.lock')) && Date.now() - this.#since < maxWaitMs) return this.#heard();
    if (this.#closed) return;
    this.#checking = true;
    const begun = Date.now();
    await this.#refresh();
    const identity = await this.#identity();
    this.#checking = false;
    if (this.#closed) return;
    this.#quietMs = Math.min(Math.max(quietMs, Date.now() - begun), maxWaitMs);
    const again = this.#again;
    this.#again = false;
    // What was seen may be half of a change.
    if (again && Date.now() - this.#since < maxWaitMs) return this.#heard();
    this.#since = 0;
    if (identity !== this.#last && this.#last !== undefined) {
      this.#last = identity;
      this.#changed();
    }
    if (again) this.#heard();
  }

  async #refresh(): Promise<void> {
    for (const { tree, enters } of this.#trees) await tree.refresh(await enters());
  }

  async #identity(): Promise<string> {
    try {
      return await identityOf(this.#repository, this.#aspect);
    } catch (error) {
      return `failed ${String(error)}`;
    }
  }

  /** Directories of the work tree in which a change can be one: not git's own, and not those that are ignored. */
  async #notIgnored(top: string): Promise<(path: string) => boolean> {
    const { ignored } = await this.#repository
      .run(status({ ignored: true }))
      .catch(() => ({ ignored: [] as readonly string[] }));
    const out = new Set(
      ignored.filter((path) => path.endsWith('/')).map((path) => join(top, path.slice(0, -1))),
    );
    return (path) => !out.has(path) && !existsSync(join(path, '.git')) && path !== join(top, '.git');
  }
}

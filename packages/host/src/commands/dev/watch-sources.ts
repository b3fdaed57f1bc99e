import { relative } from 'node:path';
import type { Watcher as PathWatcher } from '@mcp/watch';
import { RestartDelay } from './restart-delay.ts';
import { directoriesBelow, directoriesIn, maxDirectories, SourceContents } from './source-tree.ts';

export interface Sources {
  /** The directories with the sources, with those below them. */
  readonly directories: readonly string[];
  /** Files that count as sources, whatever their kind. */
  readonly files: readonly string[];
  /** Whether a file with this name in a directory is a source. */
  readonly isSource: (name: string) => boolean;
}

export interface SourceWatchOptions {
  /** Called with the paths of the sources that have changed, when the server is to be restarted. */
  readonly changed: (paths: readonly string[]) => void;
  readonly onWarning: (message: string) => void;
}

/** Watches the sources of a server. Returns a function that ends the watch. */
export async function watchSources(sources: Sources, options: SourceWatchOptions): Promise<() => void> {
  const { Watcher } = await import('@mcp/watch');
  const watcher = new Watcher({ onWarning: options.onWarning });
  const watch = new SourceWatch(watcher, sources, options);
  await watch.start();
  return () => watch.stop();
}

interface WatchedDirectory {
  readonly stop: () => void;
  /** The directories in it, when they were last listed. */
  below: string;
}

class SourceWatch {
  readonly #watcher: PathWatcher;
  readonly #sources: Sources;
  readonly #options: SourceWatchOptions;
  readonly #contents: SourceContents;
  readonly #watched = new Map<string, Promise<WatchedDirectory>>();
  readonly #delay = new RestartDelay();
  /** The sources that have changed since the last restart. */
  readonly #changed = new Set<string>();
  #isCut = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(watcher: PathWatcher, sources: Sources, options: SourceWatchOptions) {
    this.#watcher = watcher;
    this.#sources = sources;
    this.#options = options;
    this.#contents = new SourceContents(sources.isSource);
  }

  async start(): Promise<void> {
    for (const path of this.#sources.files) {
      await this.#watcher.watch(path, async () => this.#add(await this.#contents.changesOf(path)));
      await this.#contents.changesOf(path);
    }
    await this.#watchDirectories();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#watcher.close();
  }

  /** Watches the directories that are there now, and no others. Returns the sources in new and old ones. */
  async #watchDirectories(): Promise<readonly string[]> {
    const directories = await directoriesBelow(this.#sources.directories);
    this.#warnOfCut(directories.size);
    const gone = [...this.#watched.keys()].filter((path) => !directories.has(path));
    const added = [...directories].filter((path) => !this.#watched.has(path));
    for (const path of gone) {
      void this.#watched.get(path)?.then(({ stop }) => stop());
      this.#watched.delete(path);
    }
    const watches = added.map((path) => [path, this.#watch(path)] as const);
    for (const [path, watch] of watches) this.#watched.set(path, watch);
    await Promise.all(watches.map(([, watch]) => watch));
    const changes = [...gone, ...added].map((path) => this.#contents.changesIn(path));
    return (await Promise.all(changes)).flat();
  }

  async #watch(path: string): Promise<WatchedDirectory> {
    const stop = await this.#watcher.watch(path, () => this.#look(path));
    return { stop, below: String(await directoriesIn(path)) };
  }

  async #look(path: string): Promise<void> {
    const watched = await this.#watched.get(path);
    const changed = await this.#contents.changesIn(path);
    const below = String(await directoriesIn(path));
    const isSame = watched?.below === below;
    if (watched) watched.below = below;
    this.#add(isSame ? changed : [...changed, ...(await this.#watchDirectories())]);
  }

  #warnOfCut(count: number): void {
    if (count < maxDirectories || this.#isCut) return;
    this.#isCut = true;
    this.#options.onWarning(
      `Only the first ${maxDirectories} directories below "${this.#sources.directories.join('", "')}" are watched`,
    );
  }

  #add(paths: readonly string[]): void {
    if (paths.length === 0) return;
    for (const path of paths) this.#changed.add(path);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#restart(), this.#delay.after(performance.now()));
  }

  #restart(): void {
    const paths = [...this.#changed].map(shownPath).toSorted();
    this.#changed.clear();
    this.#options.changed(paths);
    if (!this.#delay.restarted(performance.now())) return;
    this.#options.onWarning(
      `Sources change soon after each restart, the last time "${paths[0]}"; further restarts wait. A server should not write its own sources`,
    );
  }
}

/** A path below the current directory as a relative one. */
function shownPath(path: string): string {
  const below = relative(process.cwd(), path);
  return below.startsWith('..') ? path : below;
}

import type { Snapshot, SkillDirectory } from './skill-directory.ts';

/** Notifies when a path changes: a `Watcher` of `@mcp/watch`. */
export interface SkillWatcher {
  watch(path: string, changed: () => void | Promise<void>): Promise<() => void>;
}

/**
 * Calls `changed` after each change of the file or the directory at a URI, until the returned function is
 * called. A directory changes with everything in it. Resolves when no later change can be missed.
 */
export async function watchSkill(
  watcher: SkillWatcher,
  skill: SkillDirectory,
  uri: string,
  changed: () => void,
): Promise<() => void> {
  const watch = new SkillWatch(watcher, skill, uri, changed);
  await watch.start();
  return () => watch.stop();
}

class SkillWatch {
  readonly #watcher: SkillWatcher;
  readonly #skill: SkillDirectory;
  readonly #uri: string;
  readonly #changed: () => void;
  /** The functions that end the watches of directories, by path. */
  readonly #stops = new Map<string, () => void>();
  #value = '';
  #comparing: Promise<void> | undefined;
  #isStale = false;
  #hasEnded = false;

  constructor(watcher: SkillWatcher, skill: SkillDirectory, uri: string, changed: () => void) {
    this.#watcher = watcher;
    this.#skill = skill;
    this.#uri = uri;
    this.#changed = changed;
  }

  async start(): Promise<void> {
    try {
      this.#value = await this.#current();
    } catch (error) {
      this.stop();
      throw error;
    }
  }

  stop(): void {
    this.#hasEnded = true;
    for (const stop of this.#stops.values()) stop();
    this.#stops.clear();
  }

  /** Compares the content with the last one, and once more for events that come meanwhile. */
  #compare(): Promise<void> {
    this.#isStale = true;
    return (this.#comparing ??= this.#compareAll().finally(() => (this.#comparing = undefined)));
  }

  async #compareAll(): Promise<void> {
    while (this.#isStale && !this.#hasEnded) {
      this.#isStale = false;
      const value = await this.#current();
      if (value === this.#value || this.#hasEnded) continue;
      this.#value = value;
      this.#changed();
    }
  }

  /** The content at the URI as a text, after its directories are watched. */
  async #current(): Promise<string> {
    for (;;) {
      const snapshot = await this.#skill.snapshot().catch(() => undefined);
      const isNew = await this.#watchDirectories(snapshot);
      // A directory that was not watched before may have changed before its watch began.
      if (!isNew || this.#hasEnded) return snapshot ? contentAt(snapshot, this.#uri) : 'none';
    }
  }

  /** Watches each directory and file of the skill. Returns whether a watch was added. */
  async #watchDirectories(snapshot: Snapshot | undefined): Promise<boolean> {
    const root = this.#skill.root;
    const uris = snapshot ? [...snapshot.directories.keys()] : [root];
    const wanted = new Set(uris.map((uri) => this.#pathOf(uri.slice(root.length))));
    for (const [path, stop] of this.#stops) {
      if (wanted.has(path)) continue;
      this.#stops.delete(path);
      stop();
    }
    let isNew = false;
    for (const path of wanted) {
      if (this.#stops.has(path)) continue;
      isNew = true;
      const stop = await this.#watcher.watch(path, () => this.#compare());
      if (this.#hasEnded) stop();
      else this.#stops.set(path, stop);
    }
    return isNew;
  }

  #pathOf(encoded: string): string {
    return this.#skill.path + decodeURIComponent(encoded);
  }
}

/** A text that differs for different content at the URI: of a file, or of all files in a directory. */
function contentAt({ entry: { resources }, directories }: Snapshot, uri: string): string {
  const files = resources === 'dynamic' ? [] : resources;
  const concerned = files.filter((file) => file.uri === uri || file.uri.startsWith(`${uri}/`));
  const below = [...directories.keys()].filter((each) => each === uri || each.startsWith(`${uri}/`));
  return JSON.stringify([concerned, below.toSorted()]);
}

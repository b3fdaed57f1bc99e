import { dirname } from 'node:path';
import { allow, type AllowedDirectory, type AllowOptions } from './access/allowed-directory.ts';
import { Boundary } from './access/allowed-directories.ts';
import { completePath } from './list/complete-path.ts';
import type { Opened } from './access/path-opener.ts';
import { quoted } from './display-name.ts';
import type { Edit } from './edit/apply-edits.ts';
import { editFile, type Edited, type EditOptions } from './edit/edit-file.ts';
import { failure, type Noun } from './errors.ts';
import { fileInfo, type FileInfo } from './read/file-info.ts';
import type { Copied, CopyOptions } from './write/copy.ts';
import { find, type FindOptions, type Found } from './list/find-files.ts';
import { kindOf } from './file-kind.ts';
import { listDirectory, type Listing, type ListOptions } from './list/list-directory.ts';
import type { ListSizesOptions, Sizes } from './list/list-with-sizes.ts';
import type { MadeDirectory } from './write/create-directory.ts';
import type { Moved } from './write/move.ts';
import { PathWatcher } from './watch/change-watcher.ts';
import { platformDoor } from './access/platform-opener.ts';
import { Queue } from './keyed-queue.ts';
import { readFile, type FileContent } from './read/read-file.ts';
import type { LinesRange, LinesRead } from './read/read-lines.ts';
import type { Media } from './read/read-media.ts';
import { readText, type TextRange, type TextRead } from './read/read-text.ts';
import { RemoteFiles } from './access/network-files.ts';
import type { Removed, RemoveOptions } from './write/delete.ts';
import type { SearchOptions, SearchResult } from './search/search-text.ts';
import type { Tree, TreeOptions } from './list/directory-tree.ts';
import { removeUnfinished } from './write/temporary-files.ts';
import { writeFile, type WriteOptions, type Written } from './write/write-file.ts';

export interface SandboxOptions extends AllowOptions {
  /** Refuse every change. */
  readOnly?: boolean | undefined;
  /** How long a file on another machine may take to answer, in milliseconds. */
  patienceMs?: number | undefined;
}

type Opening = Omit<SandboxOptions, 'directories'>;

/** The files beneath the allowed directories, and no others. Every error says what the caller may know. */
export class Sandbox {
  readonly readOnly: boolean;
  /** Resolves once nothing is left of what killed processes were writing. */
  readonly tidied: Promise<void>;
  readonly #boundary: Boundary;
  readonly #writes: Queue;
  readonly #options: Opening;
  readonly #watcher: PathWatcher;
  readonly #remote: RemoteFiles;

  static open(options: SandboxOptions): Sandbox {
    return new Sandbox(allow(options), options);
  }

  /** A sandbox of directories that were allowed before, within a wider one where there is one. */
  constructor(directories: readonly AllowedDirectory[], options: Opening, wider?: Sandbox) {
    const { door = platformDoor(), readOnly = false } = options;
    // What the operator named stays where it is, whatever a client works in.
    this.#remote = new RemoteFiles(
      directories.map(({ real }) => real),
      options.patienceMs,
    );
    const staying = wider ? wider.#boundary.directories : [];
    this.#boundary = new Boundary(directories, door, staying, this.#remote);
    this.#options = options;
    this.#writes = wider ? wider.#writes : new Queue();
    this.#watcher = new PathWatcher(this.#boundary, options.warn);
    this.readOnly = readOnly;
    this.tidied = wider?.tidied ?? (readOnly ? Promise.resolve() : tidySoon(this.#boundary, this.#remote));
  }

  /** The same for a client that works in some directories, by their URIs: never more than this one is. */
  async within(uris: readonly string[]): Promise<Sandbox> {
    const { clientDirectories } = await import('./access/client-roots.ts');
    const { door = platformDoor(), warn = () => {} } = this.#options;
    const { directories } = this.#boundary;
    return new Sandbox(clientDirectories(uris, directories, door, warn), this.#options, this);
  }

  /** The allowed directories as the operator named them, made absolute. */
  get directories(): string[] {
    return this.#boundary.directories.map(({ name }) => name);
  }

  /** The text of a file, or its first or last lines. */
  readText(path: string, range: TextRange = {}): TextRead | Promise<TextRead> {
    return this.#withFile(path, (opened) => readText(opened, path, range));
  }

  /** A file as it is, or a directory as what it holds. */
  read(path: string, options?: { maxBytes?: number }): Content | Promise<Content> {
    return this.#with(path, 'file', (opened): Content | Promise<Content> => {
      if (opened.stats.isDirectory()) return listDirectory(opened);
      refuseSpecial(opened, path);
      return readFile(opened, path, options);
    });
  }

  async list(path: string, options?: ListOptions): Promise<Listing> {
    return this.#withDirectory(path, (directory) => listDirectory(directory, options));
  }

  /** Files and directories beneath a directory, by a pattern for their paths from there. */
  async find(path: string, pattern: string, options?: FindOptions): Promise<Found> {
    await this.#reach(path, true);
    return this.#withDirectory(path, (directory) => find(this.#boundary, directory, pattern, options));
  }

  /** Some lines of a text file, by their numbers. */
  readLines(path: string, range: LinesRange): Promise<LinesRead> {
    return this.#withFile(path, async (opened) => {
      const { readLines } = await import('./read/read-lines.ts');
      return readLines(opened, path, range);
    });
  }

  /** A file as bytes, with the type that they say it is. */
  readMedia(path: string): Promise<Media> {
    return this.#withFile(path, async (opened) => {
      const { readMedia } = await import('./read/read-media.ts');
      return readMedia(opened, path);
    });
  }

  async listSizes(path: string, options?: ListSizesOptions): Promise<Sizes> {
    return this.#withDirectory(path, async (directory) => {
      const { listSizes } = await import('./list/list-with-sizes.ts');
      return listSizes(directory, options);
    });
  }

  /** Everything beneath a directory, as a tree. */
  async tree(path: string, options?: TreeOptions): Promise<Tree> {
    await this.#reach(path, true);
    return this.#withDirectory(path, async (directory) => {
      const { treeOf } = await import('./list/directory-tree.ts');
      return treeOf(this.#boundary, directory, options);
    });
  }

  /** The lines with a text in them, in one file or in all beneath a directory. */
  async search(path: string, text: string, options?: SearchOptions): Promise<SearchResult> {
    await this.#reach(path, true);
    return this.#with(path, 'file', async (opened) => {
      if (!opened.stats.isDirectory()) refuseSpecial(opened, path);
      const { searchText } = await import('./search/search-text.ts');
      return searchText(this.#boundary, opened, text, options);
    });
  }

  async info(path: string): Promise<FileInfo> {
    await this.#reach(path);
    const opened = this.#boundary.open(path);
    try {
      return fileInfo(opened);
    } finally {
      opened.close();
    }
  }

  /** Creates a file or replaces what is in it; its directory has to be there. */
  async write(path: string, content: string | Uint8Array, options?: WriteOptions): Promise<Written> {
    this.#refuseReadOnly(path);
    await this.#reach(path);
    return writeFile(this.#boundary, this.#writes, path, content, options);
  }

  /** Edits a text file: all edits or none. */
  async edit(path: string, edits: readonly Edit[], options?: EditOptions): Promise<Edited> {
    if (!options?.dryRun) this.#refuseReadOnly(path);
    await this.#reach(path);
    return editFile(this.#boundary, this.#writes, path, edits, options);
  }

  /** Adds text at the end of a file, or creates it. */
  async append(path: string, content: string, expectedHash?: string): Promise<Written> {
    this.#refuseReadOnly(path);
    await this.#reach(path);
    const { appendFile } = await import('./write/append-file.ts');
    return appendFile(this.#boundary, this.#writes, path, content, expectedHash);
  }

  /** Makes a directory, and those above it. */
  async makeDirectory(path: string): Promise<MadeDirectory> {
    this.#refuseReadOnly(path);
    await this.#reach(path);
    const { makeDirectory } = await import('./write/create-directory.ts');
    return makeDirectory(this.#boundary, path);
  }

  /** Moves or renames a file, a directory or a link to where nothing is yet. */
  async move(source: string, destination: string): Promise<Moved> {
    this.#refuseReadOnly(source);
    await this.#reach(source);
    await this.#reach(destination);
    const { move } = await import('./write/move.ts');
    return move(this.#boundary, this.#writes, source, destination);
  }

  /** Copies a file, or a directory with all it holds, to where nothing is yet. */
  async copy(source: string, destination: string, options?: CopyOptions): Promise<Copied> {
    this.#refuseReadOnly(destination);
    await this.#reach(source, true);
    await this.#reach(destination);
    const { copy } = await import('./write/copy.ts');
    return copy(this.#boundary, this.#writes, source, destination, options);
  }

  /** Deletes a file, a link, or a directory. */
  async remove(path: string, options?: RemoveOptions): Promise<Removed> {
    this.#refuseReadOnly(path);
    await this.#reach(path, true);
    const { remove } = await import('./write/delete.ts');
    return remove(this.#boundary, this.#writes, path, options);
  }

  /** Paths that begin as somebody has begun to type. */
  async complete(typed: string): Promise<string[]> {
    if (this.#remote.some) await this.#reach(typed === '' ? '.' : typed).catch(() => {});
    return completePath(this.#boundary, typed);
  }

  /** Calls `changed` after each change of a file, or of what is in a directory; also of one that does not exist yet. */
  async watch(path: string, changed: () => void): Promise<() => void> {
    await this.#reach(path);
    return this.#watcher.watch(path, changed);
  }

  [Symbol.dispose](): void {
    this.#watcher.close();
    this.#boundary.close();
    this.#remote.close();
  }

  /** Waits until a path answers, or all beneath it has answered or not: nearly always nothing has to be asked. */
  async #reach(path: string, beneath = false): Promise<void> {
    if (!this.#remote.some) return;
    const wanted = this.#boundary.wanted(path);
    await this.#remote.reach(wanted, path);
    if (beneath) await this.#remote.reachAll(wanted);
  }

  #refuseReadOnly(path: string): void {
    if (this.readOnly) throw new Error(`Nothing may be changed, the server is read-only: ${quoted(path)}`);
  }

  #withFile<Result>(path: string, use: (opened: Opened) => Result): Result | Promise<Awaited<Result>> {
    return this.#with(path, 'file', (opened) => {
      if (opened.stats.isDirectory()) throw new Error(`Is a directory, not a file: ${quoted(path)}`);
      refuseSpecial(opened, path);
      return use(opened);
    });
  }

  #withDirectory<Result>(
    path: string,
    use: (opened: Opened) => Promise<Result>,
  ): Promise<Result | Awaited<Result>> {
    return this.#with(path, 'directory', async (opened) => {
      if (!opened.stats.isDirectory()) throw new Error(`Not a directory: ${quoted(path)}`);
      return use(opened);
    });
  }

  #with<Result>(
    path: string,
    noun: Noun,
    use: (opened: Opened) => Result,
  ): Result | Promise<Awaited<Result>> {
    return this.#remote.some ? this.#withRemote(path, noun, use) : this.#withNear(path, noun, use);
  }

  async #withRemote<Result>(
    path: string,
    noun: Noun,
    use: (opened: Opened) => Result,
  ): Promise<Awaited<Result>> {
    await this.#reach(path);
    return await this.#withNear(path, noun, async (opened) => {
      if (opened.stats.isFile()) await this.#remote.reachContent(opened, path);
      return await use(opened);
    });
  }

  /** Opens, uses, closes; what is quick is done without waiting. */
  #withNear<Result>(path: string, noun: Noun, use: (opened: Opened) => Result): Result {
    const opened = this.#boundary.open(path, noun, noun === 'file');
    try {
      const result = use(opened);
      if (!(result instanceof Promise)) {
        opened.close();
        return result;
      }
      const closed = result.then(
        (value) => (opened.close(), value),
        (error) => {
          opened.close();
          throw failure(error, path, noun);
        },
      );
      return closed as Result;
    } catch (error) {
      opened.close();
      throw failure(error, path, noun);
    }
  }
}

export type Content = FileContent | Listing;

function refuseSpecial({ stats }: Opened, path: string): void {
  if (!stats.isFile()) throw new Error(`Not a regular file but a ${kindOf(stats)}: ${quoted(path)}`);
}

// It can wait until the first client has its answer.
function tidySoon(boundary: Boundary, remote: RemoteFiles): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(() => {
      void tidy(boundary, remote).finally(resolve);
    }, 100).unref();
  });
}

async function tidy(boundary: Boundary, remote: RemoteFiles): Promise<void> {
  if (remote.some) for (const { real } of boundary.directories) await remote.reachAll(dirname(real));
  removeUnfinished(boundary);
}

import { allow, type AllowedDirectory, type AllowOptions } from './access/allowed-directory.ts';
import { AllowedDirectories } from './access/allowed-directories.ts';
import type { ClientRoots } from './access/client-roots.ts';
import type { CompareOptions, Comparison } from './compare/compare-paths.ts';
import type { ModeChanged } from './write/set-executable.ts';
import { completePath } from './list/complete-path.ts';
import type { OpenedPath } from './access/path-opener.ts';
import { PathAccess, refuseSpecial } from './access/path-access.ts';
import { displayName, quoted } from './display-name.ts';
import { toPathError } from './errors.ts';
import type { Edit } from './edit/apply-edits.ts';
import { editFile, type Edited, type EditOptions } from './edit/edit-file.ts';
import { fileInfo, type FileInfo } from './read/file-info.ts';
import type { Copied, CopyOptions } from './write/copy.ts';
import { find, type FindOptions, type Found } from './list/find-files.ts';
import type { Duplicates } from './list/find-duplicates.ts';
import type { EditedFiles, EditFilesOptions } from './edit/edit-files.ts';
import { listDirectory, type Listing, type ListOptions } from './list/list-directory.ts';
import type { ListSizesOptions, Sizes } from './list/list-with-sizes.ts';
import type { CreatedDirectory } from './write/create-directory.ts';
import type { Joined, JoinOptions } from './write/join-files.ts';
import type { Moved } from './write/move.ts';
import { ChangeWatcher } from './watch/change-watcher.ts';
import { platformOpener } from './access/platform-opener.ts';
import { readFile, type FileContent } from './read/read-file.ts';
import type { LinesRange, LinesRead } from './read/read-lines.ts';
import type { Media } from './read/read-media.ts';
import { readText, type TextRange, type TextRead } from './read/read-text.ts';
import { NetworkFiles } from './access/network-files.ts';
import type { Deleted, DeleteOptions } from './write/delete.ts';
import type { PrefilterPool } from './search/prefilter-pool.ts';
import type { SearchOptions, SearchResult } from './search/search-text.ts';
import type { Tree, TreeOptions } from './list/directory-tree.ts';
import { scheduleCleanup } from './write/schedule-cleanup.ts';
import { WriteContext } from './write/write-context.ts';
import { writeFile, type WriteOptions, type Written } from './write/write-file.ts';

export interface SandboxOptions extends AllowOptions {
  /** Refuse every change. Default: false. */
  readOnly?: boolean | undefined;
  /** How long a file on a network file system may take to respond. Default: 10,000 ms. */
  networkTimeoutMs?: number | undefined;
}

type Opening = Omit<SandboxOptions, 'directories'>;

/** The files inside the allowed directories, and no others. Errors reveal nothing about entries outside. */
export class Sandbox {
  readonly readOnly: boolean;
  /** Resolves when the temporary files of killed processes have been deleted. */
  readonly cleanup: Promise<void>;
  readonly #allowed: AllowedDirectories;
  readonly #paths: PathAccess;
  readonly #writes: WriteContext;
  readonly #options: Opening;
  readonly #watcher: ChangeWatcher;
  readonly #networkFiles: NetworkFiles;
  /** Shared with narrowed sandboxes, and created on first use. */
  readonly #shared: { prefilterPool?: PrefilterPool; clientRoots?: ClientRoots };
  readonly #parent: Sandbox | undefined;

  static open(options: SandboxOptions): Sandbox {
    return new Sandbox(allow(options), options);
  }

  /** A sandbox of open directories; `parent` is the parent sandbox that it narrows. */
  constructor(directories: readonly AllowedDirectory[], options: Opening, parent?: Sandbox) {
    const { opener = platformOpener(), readOnly = false } = options;
    this.#networkFiles = new NetworkFiles(
      directories.map(({ real }) => real),
      options.networkTimeoutMs,
    );
    const protectedDirectories = parent ? parent.#allowed.directories : [];
    this.#allowed = new AllowedDirectories(directories, opener, protectedDirectories, this.#networkFiles);
    this.#paths = new PathAccess(this.#allowed, this.#networkFiles);
    this.#options = options;
    this.#parent = parent;
    this.#shared = parent ? parent.#shared : {};
    this.#writes = new WriteContext(this.#allowed, parent ? parent.#writes : undefined);
    this.#watcher = new ChangeWatcher(this.#allowed, options.warn);
    this.readOnly = readOnly;
    this.cleanup =
      parent?.cleanup ?? (readOnly ? Promise.resolve() : scheduleCleanup(this.#allowed, this.#networkFiles));
  }

  /** A sandbox narrowed to the roots of a client, given as file URIs; never more than this one allows. */
  async within(uris: readonly string[]): Promise<Sandbox> {
    const { ClientRoots } = await import('./access/client-roots.ts');
    const { opener = platformOpener(), warn = () => {} } = this.#options;
    this.#shared.clientRoots ??= new ClientRoots({ opener, warn });
    const directories = this.#shared.clientRoots.within(uris, this.#allowed.directories);
    return new Sandbox(directories, this.#options, this);
  }

  /** The allowed directories by the paths that the operator gave, made absolute. */
  get directories(): string[] {
    return this.#allowed.directories.map(({ name }) => name);
  }

  /** What to put before the path of an entry, relative to a directory, so that every method takes it. */
  answerPrefix(directory: string): string {
    return this.#allowed.answerPrefix(directory);
  }

  /** A real path as answers show it: relative to the first allowed directory where it is inside, escaped. */
  shownPath(real: string): string {
    return displayName(this.#allowed.answerPath(real) || '.');
  }

  /** The text of a file, or its first or last lines. */
  readText(
    path: string,
    { hash, signal, ...range }: TextRange & HashOptions = {},
  ): TextRead | Promise<TextRead> {
    return this.#paths.withFile(path, (opened) =>
      hash
        ? hashed(opened, path, () => readText(opened, path, range), signal)
        : readText(opened, path, range),
    );
  }

  /** The content of a file, or the listing of a directory. */
  read(path: string, options?: { maxBytes?: number }): Content | Promise<Content> {
    return this.#paths.with(path, 'file', (opened): Content | Promise<Content> => {
      if (opened.stats.isDirectory()) return listDirectory(opened);
      refuseSpecial(opened, path);
      return readFile(opened, path, options);
    });
  }

  async list(path: string, options?: ListOptions): Promise<Listing> {
    return this.#paths.withDirectory(path, (directory) => listDirectory(directory, options));
  }

  /** Files and directories inside a directory whose relative paths match a glob. */
  async find(path: string, pattern: string, options?: FindOptions): Promise<Found> {
    await this.#paths.waitFor(path, true);
    return this.#paths.withDirectory(path, (directory) => find(this.#allowed, directory, pattern, options));
  }

  /** Files inside a directory that have the same content as another one. */
  async findDuplicates(path: string, pattern: string, options?: FindOptions): Promise<Duplicates> {
    await this.#paths.waitFor(path, true);
    return this.#paths.withDirectory(path, async (directory) => {
      const { findDuplicates } = await import('./list/find-duplicates.ts');
      return findDuplicates(this.#allowed, directory, pattern, options);
    });
  }

  /** A range of lines of a text file. */
  readLines(path: string, { hash, ...range }: LinesRange & HashOptions): Promise<LinesRead> {
    return this.#paths.withFile(path, async (opened) => {
      const { readLines } = await import('./read/read-lines.ts');
      if (!hash) return readLines(opened, path, range);
      return hashed(opened, path, () => readLines(opened, path, range), range.signal);
    });
  }

  /** The bytes of a file, with the MIME type detected from them. */
  readMedia(path: string): Promise<Media> {
    return this.#paths.withFile(path, async (opened) => {
      const { readMedia } = await import('./read/read-media.ts');
      return readMedia(opened, path);
    });
  }

  async listSizes(path: string, options?: ListSizesOptions): Promise<Sizes> {
    return this.#paths.withDirectory(path, async (directory) => {
      const { listSizes } = await import('./list/list-with-sizes.ts');
      return listSizes(this.#allowed, directory, options);
    });
  }

  /** The content of a directory and of its subdirectories, as a tree. */
  async tree(path: string, options?: TreeOptions): Promise<Tree> {
    await this.#paths.waitFor(path, true);
    return this.#paths.withDirectory(path, async (directory) => {
      const { buildTree } = await import('./list/directory-tree.ts');
      return buildTree(this.#allowed, directory, options);
    });
  }

  /** The lines that contain a text, in one file or in all files inside a directory. */
  async search(path: string, text: string, options?: SearchOptions): Promise<SearchResult> {
    await this.#paths.waitFor(path, true);
    return this.#paths.with(path, 'file', async (opened) => {
      if (!opened.stats.isDirectory()) refuseSpecial(opened, path);
      const { searchText } = await import('./search/search-text.ts');
      const { PrefilterPool } = await import('./search/prefilter-pool.ts');
      this.#shared.prefilterPool ??= new PrefilterPool();
      return searchText(this.#allowed, opened, text, this.#shared.prefilterPool, options);
    });
  }

  async info(path: string, { hash, signal }: HashOptions = {}): Promise<FileInfo> {
    await this.#paths.waitFor(path);
    const opened = this.#allowed.open(path);
    try {
      const info = fileInfo(opened);
      return hash && info.kind === 'file' ? await hashed(opened, path, () => info, signal) : info;
    } catch (error) {
      throw toPathError(error, path);
    } finally {
      opened.close();
    }
  }

  /** Compares two files, or two directories with their content. */
  async compare(path: string, otherPath: string, options?: CompareOptions): Promise<Comparison> {
    await this.#paths.waitFor(path, true);
    await this.#paths.waitFor(otherPath, true);
    const { comparePaths } = await import('./compare/compare-paths.ts');
    return this.#paths.with(path, 'file', (one) =>
      this.#paths.with(otherPath, 'file', (other) =>
        comparePaths(
          this.#allowed,
          { opened: one, requestedPath: path },
          { opened: other, requestedPath: otherPath },
          options,
        ),
      ),
    );
  }

  /** Creates a file or replaces its content; its directory must exist. */
  async write(path: string, content: string | Uint8Array, options?: WriteOptions): Promise<Written> {
    await this.#beforeChange(path);
    return writeFile(this.#writes, path, content, options);
  }

  /** Sets the executable bit of each class of users that can read a file, or clears all. */
  async setExecutable(path: string, executable: boolean): Promise<ModeChanged> {
    await this.#beforeChange(path);
    const { setExecutable } = await import('./write/set-executable.ts');
    return setExecutable(this.#writes, path, executable);
  }

  /** Edits a text file: all edits or none. */
  async edit(path: string, edits: readonly Edit[], options?: EditOptions): Promise<Edited> {
    if (!options?.dryRun) this.#refuseReadOnly(path);
    await this.#paths.waitFor(path);
    return editFile(this.#writes, path, edits, options);
  }

  /** Edits several text files: all files or none. */
  async editFiles(
    paths: readonly string[],
    edits: readonly Edit[],
    options?: EditFilesOptions,
  ): Promise<EditedFiles> {
    if (!options?.dryRun) this.#refuseReadOnly(paths[0] ?? '');
    for (const path of paths) await this.#paths.waitFor(path);
    const { editFiles } = await import('./edit/edit-files.ts');
    return editFiles(this.#writes, paths, edits, options);
  }

  /** Appends text to a file, or creates it. */
  async append(path: string, content: string, expectedHash?: string): Promise<Written> {
    await this.#beforeChange(path);
    const { appendFile } = await import('./write/append-file.ts');
    return appendFile(this.#writes, path, content, expectedHash);
  }

  /** Throws unless a destination is a directory that exists. */
  async requireDirectory(path: string): Promise<void> {
    await this.#paths.waitFor(path);
    this.#allowed.openDestination(path).close();
  }

  /** Creates a directory, with the mode of the directory `like`, and its missing parents. */
  async createDirectory(path: string, like?: string): Promise<CreatedDirectory> {
    await this.#beforeChange(path);
    const { createDirectory } = await import('./write/create-directory.ts');
    return createDirectory(this.#allowed, path, like);
  }

  /** Moves or renames a file, a directory or a symlink. The destination must not exist. */
  async move(source: string, destination: string): Promise<Moved> {
    await this.#beforeChange(source, destination);
    const { move } = await import('./write/move.ts');
    return move(this.#writes, source, destination);
  }

  /** Copies a file, or a directory with its content. The destination must not exist. */
  async copy(source: string, destination: string, options?: CopyOptions): Promise<Copied> {
    await this.#beforeChange(destination);
    await this.#paths.waitFor(source, true);
    const { copy } = await import('./write/copy.ts');
    return copy(this.#writes, source, destination, options);
  }

  /** Joins the bytes of files into a new one. */
  async join(sources: readonly string[], destination: string, options?: JoinOptions): Promise<Joined> {
    await this.#beforeChange(destination, ...sources);
    const { joinFiles } = await import('./write/join-files.ts');
    return joinFiles(this.#writes, sources, destination, options);
  }

  /** Deletes a file, a symlink, or a directory. */
  async delete(path: string, options?: DeleteOptions): Promise<Deleted> {
    this.#refuseReadOnly(path);
    await this.#paths.waitFor(path, true);
    const { deletePath } = await import('./write/delete.ts');
    return deletePath(this.#writes, path, options);
  }

  /** Paths that begin with the text the user typed. */
  async complete(typed: string): Promise<string[]> {
    if (this.#networkFiles.any) await this.#paths.waitFor(typed === '' ? '.' : typed).catch(() => {});
    return completePath(this.#allowed, typed);
  }

  /** Calls `changed` after each change of a file or of a directory's entries. The path may not exist yet. */
  async watch(path: string, changed: () => void): Promise<() => void> {
    await this.#paths.waitFor(path);
    return this.#watcher.watch(path, changed);
  }

  [Symbol.dispose](): void {
    this.#watcher.close();
    this.#allowed.close();
    this.#networkFiles.close();
    this.#writes[Symbol.dispose]();
    if (!this.#parent) this.#shared.prefilterPool?.[Symbol.dispose]();
  }

  /** Throws on a read-only server; waits for the paths that the change touches. */
  async #beforeChange(path: string, ...otherPaths: readonly string[]): Promise<void> {
    this.#refuseReadOnly(path);
    for (const each of [path, ...otherPaths]) await this.#paths.waitFor(each);
  }

  #refuseReadOnly(path: string): void {
    if (this.readOnly)
      throw new Error(`The server is read-only (--read-only); cannot change: ${quoted(path)}`);
  }
}

export type Content = FileContent | Listing;

export interface HashOptions {
  /** Also return the SHA-256 of the whole file. Default: false. */
  hash?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

async function hashed<Result extends object>(
  opened: OpenedPath,
  path: string,
  read: () => Result | Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result & { hash: string }> {
  const { readWithHash } = await import('./read/hash-file.ts');
  return readWithHash(opened, path, read, signal);
}

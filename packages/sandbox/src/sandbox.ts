import { escapeName, quoted } from '@mcp/kit';
import { allow, type AllowedDirectory, type AllowOptions } from './access/allowed-directory.ts';
import { AllowedDirectories } from './access/allowed-directories.ts';
import type { ClientRoots } from './access/client-roots.ts';
import type { CompareOptions, Comparison } from './compare/compare-paths.ts';
import { completePath } from './list/complete-path.ts';
import type { OpenedPath, PathOpener } from './open/path-opener.ts';
import { PathAccess, refuseSpecial } from './access/path-access.ts';
import { toPathError } from './errors.ts';
import type { Edit } from './edit/edit.ts';
import type { Edited, EditOptions, EditsOf } from './edit/edit-files.ts';
import { fileInfo, type FileInfo } from './read/file-info.ts';
import { readWithHash } from './read/hash-file.ts';
import { listDirectory, type Listing, type ListOptions } from './list/list-directory.ts';
import type { KeepDirectory } from './keep/keep-directory.ts';
import type { KeptRecord } from './keep/kept-record.ts';
import { KeptChange } from './keep/kept-change.ts';
import { ChangeWatcher } from './watch/change-watcher.ts';
import { platformOpener } from './open/platform-opener.ts';
import { readFile, type FileContent } from './read/read-file.ts';
import type { LinesRange, LinesRead } from './read/read-lines.ts';
import type { Media } from './read/read-media.ts';
import { readText, type TextRange, type TextRead } from './read/read-text.ts';
import { NetworkFiles } from './network/network-files.ts';
import type { SearchOptions, SearchResult } from './search/search-text.ts';
import type { PathSelection, SelectedPaths, SelectOptions } from './select/select-paths.ts';
import type { TransferArguments, Transfers } from './select/transfers.ts';
import { scheduleCleanup } from './replace/schedule-cleanup.ts';
import { WriteContext } from './replace/write-context.ts';
import type { Restored } from './write/restore.ts';

export interface SandboxOptions extends AllowOptions {
  /** Refuse every change. Default: false. */
  readOnly?: boolean | undefined;
  /** Milliseconds that a file on a network file system may take to respond. Default: 10,000. */
  networkTimeoutMs?: number | undefined;
  /** Where the old content of changed and deleted files is kept. Default: nowhere. */
  keep?: KeepDirectory | undefined;
}

type Opening = Omit<SandboxOptions, 'directories'>;

/** Gives access to the files inside the allowed directories. Errors reveal nothing about files elsewhere. */
export class Sandbox {
  readonly readOnly: boolean;
  /**
   * Resolves when the temporary files of killed processes, and the kept changes that are too old, are
   * deleted.
   */
  readonly cleanup: Promise<void>;
  readonly #allowed: AllowedDirectories;
  readonly #paths: PathAccess;
  readonly #writes: WriteContext;
  readonly #options: Opening;
  readonly #watcher: ChangeWatcher;
  readonly #networkFiles: NetworkFiles;
  /** The clients' open roots, created on first use, and shared with the sandboxes that narrow this one. */
  readonly #shared: { clientRoots?: ClientRoots };

  static open(options: SandboxOptions): Sandbox {
    return new Sandbox(allow(options), options);
  }

  /** Creates a sandbox of open directories. If it narrows a wider sandbox, `parent` is the wider one. */
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
    this.#shared = parent ? parent.#shared : {};
    this.#writes = new WriteContext(this.#allowed, parent ? parent.#writes : undefined);
    this.#watcher = new ChangeWatcher(this.#allowed, options.warn);
    this.readOnly = readOnly;
    if (options.keep) this.#keepIn(options.keep, directories, opener);
    this.cleanup =
      parent?.cleanup ??
      (readOnly ? Promise.resolve() : scheduleCleanup(this.#allowed, this.#networkFiles, options.keep));
  }

  /** Returns a sandbox that allows only a client's roots (file URIs), and never more than this one. */
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

  /** The prefix that turns a path relative to the real path `directory` into one that every method takes. */
  answerPrefix(directory: string): string {
    return this.#allowed.answerPrefix(directory);
  }

  /**
   * A real path in the form for output: escaped, and relative to the first allowed directory if inside it.
   */
  shownPath(real: string): string {
    return escapeName(this.#allowed.answerPath(real) || '.');
  }

  /** The text of a file, or its first or last lines. */
  readText(
    path: string,
    { hash, signal, ...range }: TextRange & HashOptions = {},
  ): TextRead | Promise<TextRead> {
    return this.#paths.withFile(path, (opened) =>
      hash
        ? readWithHash(opened, path, () => readText(opened, path, range), signal)
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

  /** Finds the files and directories whose path, relative to a directory, matches a glob. */
  readonly find = this.#inDirectory(async () => (await import('./list/find-files.ts')).find);

  /** The selected paths: one, several, or those that match a glob in a directory. Throws if none matches. */
  async select(selection: PathSelection, options?: SelectOptions): Promise<SelectedPaths> {
    const { selectPaths } = await import('./select/select-paths.ts');
    return selectPaths(this, selection, options);
  }

  /**
   * The moves or copies from sources to destinations. If a glob selects the sources, also creates the
   * directories of the destinations.
   */
  async transfers(args: TransferArguments): Promise<Transfers> {
    const { transfersOf } = await import('./select/transfers.ts');
    return transfersOf(this, args);
  }

  /** Finds files inside a directory that have the same content as another file there. */
  readonly findDuplicates = this.#inDirectory(
    async () => (await import('./list/find-duplicates.ts')).findDuplicates,
  );

  /**
   * A directory's entries with their sizes. With `recursive`, the size of a directory is the sum of the sizes
   * of all files in it.
   */
  readonly listSizes = this.#inDirectory(async () => (await import('./list/list-with-sizes.ts')).listSizes);

  /** The content of a directory and of its subdirectories, as a tree. */
  readonly tree = this.#inDirectory(async () => (await import('./list/directory-tree.ts')).buildTree);

  /** A range of lines of a text file. */
  readLines(path: string, { hash, ...range }: LinesRange & HashOptions): Promise<LinesRead> {
    return this.#paths.withFile(path, async (opened) => {
      const { readLines } = await import('./read/read-lines.ts');
      if (!hash) return readLines(opened, path, range);
      return readWithHash(opened, path, () => readLines(opened, path, range), range.signal);
    });
  }

  /**
   * A file's bytes, and its MIME type, which is detected from the bytes. Throws above `maxBytes` bytes;
   * default: 10 MiB.
   */
  readMedia(path: string, { maxBytes }: { maxBytes?: number } = {}): Promise<Media> {
    return this.#paths.withFile(path, async (opened) => {
      const { readMedia } = await import('./read/read-media.ts');
      return readMedia(opened, path, maxBytes);
    });
  }

  /** The lines that contain a text, in one file or in all files inside a directory. */
  async search(path: string, text: string, options?: SearchOptions): Promise<SearchResult> {
    await this.#paths.waitFor(path, true);
    return this.#paths.with(path, 'file', async (opened) => {
      if (!opened.stats.isDirectory()) refuseSpecial(opened, path);
      const { searchText } = await import('./search/search-text.ts');
      return searchText(this.#allowed, opened, text, options);
    });
  }

  async info(path: string, { hash, signal }: HashOptions = {}): Promise<FileInfo> {
    await this.#paths.waitFor(path);
    using opened = this.#allowed.open(path);
    try {
      const info = fileInfo(opened);
      return hash && info.kind === 'file' ? await readWithHash(opened, path, () => info, signal) : info;
    } catch (error) {
      throw toPathError(error, path);
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

  /**
   * Returns an object for the option `kept` of methods, which then keep what they replace and delete. `what`
   * is its name in `keptChanges`. Undefined without a keep directory.
   */
  keeping(what: string): KeptChange | undefined {
    const { keep } = this.#options;
    return keep && new KeptChange(keep, what, this.#writes.accessControl);
  }

  /** Restores what a change has replaced or deleted; `kept` keeps the present content. */
  async restore(id: string, kept?: KeptChange): Promise<Restored> {
    const { keep } = this.#options;
    this.#refuseReadOnly(id);
    if (!keep)
      throw new Error(
        'Nothing can be restored: the sandbox was created without a directory for replaced and deleted content (option keep)',
      );
    const { restore } = await import('./write/restore.ts');
    return restore(this.#writes, keep, id, kept);
  }

  /**
   * The changes that can be restored, the newest first. Changes with a path outside the allowed directories
   * are left out.
   */
  keptChanges(): KeptRecord[] {
    const isAllowed = (path: string) => this.#allowed.directories.some((each) => each.contains(path));
    const records = this.#options.keep?.records() ?? [];
    return records.filter(({ items }) => items.length > 0 && items.every(({ path }) => isAllowed(path)));
  }

  /** Creates a file or replaces its content; its directory must exist. */
  readonly write = this.#changing(async () => (await import('./write/write-file.ts')).writeFile);

  readonly append = this.#changing(async () => (await import('./write/append-file.ts')).appendFile);

  /** Allows execution to each class of users that can read a file, or forbids it to all classes. */
  readonly setExecutable = this.#changing(
    async () => (await import('./write/set-executable.ts')).setExecutable,
  );

  /** Creates a directory and missing parents. It gets the mode of the directory `like`, if given. */
  readonly createDirectory = this.#changing(
    async () => (await import('./write/create-directory.ts')).createDirectory,
  );

  readonly delete = this.#changing(async () => (await import('./write/delete.ts')).deletePath);

  /** Moves or renames a file, a directory or a symlink. The destination must not exist. */
  readonly move = this.#changing(
    async () => (await import('./write/move.ts')).move,
    ([source, destination]) => [source, destination],
  );

  /** Copies a file, or a directory with its content. The destination must not exist. */
  readonly copy = this.#changing(
    async () => (await import('./write/copy.ts')).copy,
    ([source, destination]) => [destination, source],
  );

  /** Joins the bytes of files, in their order, into a new file. */
  readonly join = this.#changing(
    async () => (await import('./write/join-files.ts')).joinFiles,
    ([sources, destination]) => [destination, ...sources],
  );

  /** Edits a text file, or several: either all files are changed or none. */
  async edit(
    path: string | readonly string[],
    edits: readonly Edit[] | EditsOf,
    options?: EditOptions,
  ): Promise<Edited> {
    const paths = typeof path === 'string' ? [path] : path;
    if (!options?.dryRun) this.#refuseReadOnly(paths[0] ?? '');
    for (const each of paths) await this.#paths.waitFor(each);
    const { editFiles } = await import('./edit/edit-files.ts');
    return editFiles(this.#writes, path, edits, options);
  }

  /** Throws unless a destination is an existing directory. */
  async requireDirectory(path: string): Promise<void> {
    await this.#paths.waitFor(path);
    this.#allowed.openDestination(path).close();
  }

  /** Returns paths that begin with the text the user typed. */
  async complete(typed: string): Promise<string[]> {
    if (this.#networkFiles.any) await this.#paths.waitFor(typed === '' ? '.' : typed).catch(() => {});
    return completePath(this.#allowed, typed);
  }

  /** Calls `changed` after each change of a file or of a directory's entries. The path may be missing. */
  async watch(path: string, changed: () => void): Promise<() => void> {
    await this.#paths.waitFor(path);
    return this.#watcher.watch(path, changed);
  }

  [Symbol.dispose](): void {
    this.#watcher.close();
    this.#allowed.close();
    this.#networkFiles.close();
    this.#writes[Symbol.dispose]();
  }

  /** Returns a method for an operation in a directory; the operation is loaded on first use. */
  #inDirectory<Args extends readonly unknown[], Result>(
    load: () => Promise<
      (allowed: AllowedDirectories, directory: OpenedPath, ...args: Args) => Promise<Result>
    >,
  ) {
    return async (path: string, ...args: Args): Promise<Result> => {
      await this.#paths.waitFor(path, true);
      return await this.#paths.withDirectory(path, async (directory) =>
        (await load())(this.#allowed, directory, ...args),
      );
    };
  }

  /**
   * Returns a method for an operation that changes files. In a read-only sandbox, the method throws an error
   * with the first path. Otherwise, it first waits until the file systems of all paths respond.
   */
  #changing<Args extends readonly unknown[], Result>(
    load: () => Promise<(context: WriteContext, ...args: Args) => Result | Promise<Result>>,
    pathsOf?: (args: NoInfer<Args>) => readonly string[],
  ) {
    return async (...args: Args): Promise<Result> => {
      const paths = pathsOf?.(args) ?? [String(args[0])];
      this.#refuseReadOnly(paths[0]!);
      for (const path of paths) await this.#paths.waitFor(path, true);
      return (await load())(this.#writes, ...args);
    };
  }

  #keepIn(keep: KeepDirectory, directories: readonly AllowedDirectory[], opener: PathOpener): void {
    keep.refuseOverlap(directories);
    keep.deleteBy(async (name) => {
      const { deletePath } = await import('./write/delete.ts');
      const context = new WriteContext(new AllowedDirectories([keep.directory], opener));
      await deletePath(context, name, { recursive: true });
    });
  }

  #refuseReadOnly(path: string): void {
    if (this.readOnly) throw new Error(`Nothing can be changed in a read-only sandbox: ${quoted(path)}`);
  }
}

export type Content = FileContent | Listing;

export interface HashOptions {
  /** Also return the SHA-256 of the whole file. Default: false. */
  hash?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

import type { AllowedDirectories } from './access/allowed-directories.ts';
import { assertLinksAllowed } from './access/check-layout.ts';
import { assertLocalRemoteAllowed } from './access/check-local-remote.ts';
import { canonicalKey, type Setting } from './access/git-config.ts';
import type { GitContext } from './access/git-context.ts';
import { inspectRepository, locateRepository, type Inspection } from './access/inspect-repository.ts';
import { fingerprint, type Layout } from './access/repository-layout.ts';
import type { Command, CommandOutput } from './command.ts';
import { commandError } from './errors.ts';
import { GitStoppedError, runningGroups } from './process/git-process.ts';
import { otherGitEnds, removeStaleLocks } from './process/lock-files.ts';
import { abandonedRecords, removeRecord, writeRecord, type WriteRecord } from './process/write-record.ts';
import { ReadProgress } from './process/read-progress.ts';
import { progressReader, type Progress } from './progress.ts';

/** The signal that cancels a call, and the receiver of its progress. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly progress?: Progress | undefined;
}

const defaultMaxBytes = 16 * 1024 * 1024;

/** One repository inside the allowed directories. No command runs in it before it is inspected. */
export class Repository {
  /** Short, and unique among the repositories of this server; for URIs. */
  readonly name: string;
  readonly root: string;
  readonly #context: GitContext;
  #inspection: Promise<Inspection> | undefined;
  /** The start of the present write, in ms since 1970. */
  #writing = 0;

  constructor(context: GitContext, root: string, name: string) {
    this.#context = context;
    this.root = root;
    this.name = name;
  }

  get trusted(): boolean {
    return this.#context.trust;
  }

  get allowed(): AllowedDirectories {
    return this.#context.allowed;
  }

  async layout(): Promise<Layout> {
    return (await this.#inspect()).layout;
  }

  /** The whole configuration, in git's order: of several values of one key, the last counts. */
  async settings(): Promise<readonly Setting[]> {
    return (await this.#inspect()).settings;
  }

  /** The value of a setting; undefined if it is not set. */
  async setting(key: string): Promise<string | undefined> {
    const settings = await this.settings();
    const canonical = canonicalKey(key);
    return settings.findLast((setting) => setting.key === canonical)?.value;
  }

  /** Throws unless the repository is inside the allowed directories. */
  locate(): Promise<Layout> {
    return locateRepository(this.#context, this.root);
  }

  /** Throws if a repository of this machine may not be used as a remote. */
  assertLocalRemoteAllowed(path: string): Promise<void> {
    return assertLocalRemoteAllowed(this.#context, path);
  }

  /** Runs a command; one that writes waits for the repository's lock. */
  async run<Result>(command: Command<Result>, call: CallOptions = {}): Promise<Result> {
    const { kind = 'read' } = command;
    if (kind === 'read') return this.#spawn(command, call);
    return this.withLock(() => this.#spawn(command, call));
  }

  /** Runs `work` while no other call writes to the repository. Throws if the server is read-only. */
  async withLock<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#context.readOnly) throw new Error('The server is read-only');
    const layout = await this.layout();
    return this.#context.writeQueue.run(layout.commonDir, async () => {
      await this.#removeAbandonedLocks(layout);
      this.#writing = Date.now();
      writeRecord(layout.gitDir, { started: this.#writing });
      try {
        return await work();
      } finally {
        removeRecord(layout.gitDir);
      }
    });
  }

  /**
   * Records the running operation, inside `withLock`; with `over`, that it has ended and could not be undone.
   * Then, and if this server is killed, the record remains.
   */
  async record(operation: unknown, { over = false } = {}): Promise<void> {
    const { gitDir } = await this.layout();
    writeRecord(gitDir, { started: this.#writing, operation, ...(over && { over }) });
  }

  /** The records of interrupted operations: of servers that were killed, and those that are over. */
  async abandonedRecords(): Promise<WriteRecord[]> {
    const { gitDir } = await this.layout();
    return abandonedRecords(gitDir).filter(({ operation }) => operation !== undefined);
  }

  /** Throws if a git that this server has not started runs here, and does not end in time. */
  async assertNoOtherGit(): Promise<void> {
    if (!(await otherGitEnds(await this.layout(), runningGroups())))
      throw new Error('Another git process is running in this repository; call again when it has ended');
  }

  /** Forgets an interrupted operation, after its lock files are removed; a read-only server does not. */
  async forget(record: WriteRecord): Promise<void> {
    if (!this.#context.readOnly) await this.withLock(() => this.forgetLocked(record));
  }

  /** The same inside `withLock`. */
  async forgetLocked(record: WriteRecord): Promise<void> {
    const { gitDir } = await this.layout();
    removeRecord(gitDir, record);
  }

  /** Removes the lock files of a server that was killed. */
  async #removeAbandonedLocks(layout: Layout): Promise<void> {
    for (const record of abandonedRecords(layout.gitDir)) {
      const left = record.over ? [] : await removeStaleLocks(layout, record.started, runningGroups());
      if (left.length === 0 && record.operation === undefined) removeRecord(layout.gitDir, record);
    }
  }

  /** Runs a command inside `withLock`. */
  runLocked<Result>(command: Command<Result>, call: CallOptions = {}): Promise<Result> {
    return this.#spawn(command, call);
  }

  async #spawn<Result>(command: Command<Result>, { signal, progress }: CallOptions): Promise<Result> {
    const { kind = 'read', accept = [], maxBytes = defaultMaxBytes } = command;
    // A write can depend on files that no fingerprint covers, so it inspects the repository every time.
    const inspection = await (kind === 'read' ? this.#inspect() : this.#refreshInspection());
    const { layout } = inspection;
    const { timeouts } = this.#context;
    using report = progress && kind === 'read' ? new ReadProgress(progress, command.args[0]!) : undefined;
    const reader = await command.reader?.();
    const started = Date.now();
    let output: CommandOutput;
    try {
      output = await this.#context.program.run({
        args: command.args,
        cwd: layout.top,
        env: {
          ...(kind === 'remote' ? inspection.remoteEnvironment : inspection.environment),
          ...(kind === 'read' && { GIT_OPTIONAL_LOCKS: '0' }),
          ...(command.literalPaths === false && { GIT_LITERAL_PATHSPECS: '0' }),
        },
        input: command.input,
        signal,
        writes: kind !== 'read',
        timeoutMs: kind === 'read' ? timeouts.readMs : timeouts.writeMs,
        maxBytes,
        onChunk: reader && ((chunk) => reader.push(chunk)),
        onBytes: report && ((bytes) => report.addBytes(bytes)),
        onStderrLine: progress && progressReader(progress),
        findObstacle: kind === 'remote' ? undefined : (ended) => findObstacle(layout, ended),
      });
    } catch (error) {
      // A git that was stopped can leave its lock files. No other call writes now.
      if (error instanceof GitStoppedError && kind !== 'read')
        await removeStaleLocks(layout, started, runningGroups());
      throw error;
    }
    if (output.code !== 0 && !accept.includes(output.code)) throw commandError(command, output);
    if (reader) return reader.result(output);
    return command.parse?.(output) as Result;
  }

  /** The last inspection, or a new one if the repository has changed since. */
  async #inspect(): Promise<Inspection> {
    const known = await this.#inspection?.catch(() => undefined);
    if (known && !known.includes && fingerprint(known.layout) === known.fingerprint) {
      assertLinksAllowed(known.layout, this.allowed);
      return known;
    }
    return this.#refreshInspection();
  }

  #refreshInspection(): Promise<Inspection> {
    this.#inspection = inspectRepository(this.#context, this.root);
    return this.#inspection;
  }
}

/** Loaded when a git takes long. */
async function findObstacle({ top, gitDir, commonDir }: Layout, signal: AbortSignal) {
  const { findBlockingFile } = await import('./access/find-blocking-file.ts');
  return findBlockingFile({ top, gitDirs: [gitDir, commonDir], signal });
}

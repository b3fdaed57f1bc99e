import type { AllowedDirectories } from './access/allowed-directories.ts';
import { assertLinksAllowed } from './trust/check-layout.ts';
import { assertLocalRemoteAllowed } from './trust/check-local-remote.ts';
import { canonicalKey, type Setting } from './trust/git-config.ts';
import type { GitContext } from './trust/git-context.ts';
import {
  inspectRepository,
  locateRepository,
  type Inspection,
  type Location,
} from './trust/inspect-repository.ts';
import { findBlockingFile } from './trust/find-blocking-file.ts';
import { decisiveFiles, type Layout } from './trust/repository-layout.ts';
import type { Command, CommandOutput } from './command.ts';
import { identities } from './file-states.ts';
import { commandError } from './errors.ts';
import { GitStoppedError, runningGroups } from './process/git-process.ts';
import { otherGitEnds, removeStaleLocks } from './process/lock-files.ts';
import { abandonedRecords, removeRecord, writeRecord, type WriteRecord } from './process/write-record.ts';
import { consecutive, type Progress, progressReader, ReadProgress } from './process/progress.ts';

/** The signal that cancels a call, and the receiver of its progress. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly progress?: Progress | undefined;
}

/** The state that all views of one repository share; see `during`. */
interface SharedState {
  location?: Promise<Location>;
  inspection?: Promise<Inspection>;
  /** When the current write began, in ms since 1970; undefined while nothing is written. */
  writing?: number;
}

interface RepositoryView {
  readonly call?: CallOptions;
  readonly state?: SharedState;
}

const defaultMaxBytes = 16 * 1024 * 1024;

/**
 * One repository inside the allowed directories. Its configuration is checked before any command runs in it.
 */
export class Repository {
  /** A short name for URIs, unique among the repositories of this server. */
  readonly name: string;
  readonly root: string;
  readonly call: CallOptions;
  readonly #context: GitContext;
  readonly #state: SharedState;
  readonly #nextProgress: (() => Progress) | undefined;

  constructor(
    context: GitContext,
    root: string,
    name: string,
    { call = {}, state = {} }: RepositoryView = {},
  ) {
    this.#context = context;
    this.root = root;
    this.name = name;
    this.call = call;
    this.#state = state;
    this.#nextProgress = call.progress && consecutive(call.progress);
  }

  /** Returns a view of this repository whose commands are cancelled with `call` and report progress to it. */
  during(call: CallOptions): Repository {
    return new Repository(this.#context, this.root, this.name, { call, state: this.#state });
  }

  /** A view of this repository whose commands continue when the call is cancelled. */
  get uncancelled(): Repository {
    return this.during({});
  }

  /** If git is stopped during `work`, calls `undo` with an uncancellable view, and rethrows the error. */
  async undoIfStopped<Result>(
    work: () => Promise<Result>,
    undo: (repository: Repository) => Promise<unknown>,
  ): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof GitStoppedError) await undo(this.uncancelled);
      throw error;
    }
  }

  get trusted(): boolean {
    return this.#context.trust;
  }

  /** Whether commits and annotated tags are signed with the key of the operator. */
  get signs(): boolean {
    return this.#context.sign;
  }

  get allowed(): AllowedDirectories {
    return this.#context.allowed;
  }

  async layout(): Promise<Layout> {
    return (await this.#inspect()).layout;
  }

  /** The whole configuration in git's order. If a key has several values, the last one counts. */
  async settings(): Promise<readonly Setting[]> {
    return (await this.#inspect()).settings;
  }

  /** The value of a setting; undefined if it is not set. */
  async setting(key: string): Promise<string | undefined> {
    const settings = await this.settings();
    const canonical = canonicalKey(key);
    return settings.findLast((setting) => setting.key === canonical)?.value;
  }

  /** Finds the directories of the repository. Throws unless they are inside the allowed directories. */
  async locate(): Promise<Layout> {
    const inspected = this.#state.inspection && (await this.#state.inspection.catch(() => undefined));
    if (inspected) return inspected.layout;
    this.#state.location = locateRepository(this.#context, this.root);
    return (await this.#state.location).layout;
  }

  /** Throws if the repository at a path of this machine may not be used as a remote. */
  assertLocalRemoteAllowed(path: string): Promise<void> {
    return assertLocalRemoteAllowed(this.#context, path);
  }

  /** Runs a command. A command that writes waits for the repository's lock. */
  async run<Result>(command: Command<Result>): Promise<Result> {
    const { kind = 'read' } = command;
    if (kind === 'read') return this.#spawn(command);
    return this.withLock(() => this.#spawn(command));
  }

  /** Runs `work` while no other call writes to the repository. Throws if the server is read-only. */
  async withLock<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#context.readOnly) throw new Error('The repositories are read-only');
    const layout = await this.layout();
    return this.#context.writeQueue.run(layout.commonDir, async () => {
      await this.#removeAbandonedLocks(layout);
      this.#state.writing = Date.now();
      writeRecord(layout.gitDir, { started: this.#state.writing });
      try {
        return await work();
      } finally {
        removeRecord(layout.gitDir);
      }
    });
  }

  /**
   * Lets a later server undo the operation if this server is killed. `over` means that undoing has failed.
   */
  async record(operation: unknown, { over = false } = {}): Promise<void> {
    const { gitDir } = await this.layout();
    writeRecord(gitDir, { started: this.#state.writing ?? 0, operation, ...(over && { over }) });
  }

  /** The records of operations that killed servers left, or that have ended but could not be undone. */
  async abandonedRecords(): Promise<WriteRecord[]> {
    const { gitDir } = await this.layout();
    return abandonedRecords(gitDir).filter(({ operation }) => operation !== undefined);
  }

  /** Waits until no other git process runs in this repository. Throws if one still runs after 3 seconds. */
  async assertNoOtherGit(): Promise<void> {
    if (!(await otherGitEnds(await this.layout(), runningGroups())))
      throw new Error('Another git process is running in this repository; call again when it has ended');
  }

  /** Removes the record and the lock files of an interrupted operation, unless the server is read-only. */
  async forget(record: WriteRecord): Promise<void> {
    if (!this.#context.readOnly) await this.withLock(() => this.forgetLocked(record));
  }

  /** Removes the record of an interrupted operation. The caller must hold the lock. */
  async forgetLocked(record: WriteRecord): Promise<void> {
    const { gitDir } = await this.layout();
    removeRecord(gitDir, record);
  }

  /** Removes the lock files that killed servers have left. */
  async #removeAbandonedLocks(layout: Layout): Promise<void> {
    for (const record of abandonedRecords(layout.gitDir)) {
      const left = record.over ? [] : await removeStaleLocks(layout, record.started, runningGroups());
      if (left.length === 0 && record.operation === undefined) removeRecord(layout.gitDir, record);
    }
  }

  runLocked<Result>(command: Command<Result>): Promise<Result> {
    return this.#spawn(command);
  }

  async #spawn<Result>(command: Command<Result>): Promise<Result> {
    const { kind = 'read', accept = [], maxBytes = defaultMaxBytes } = command;
    // A read may use the last inspection of the repository (see `#inspect`). A write always inspects anew,
    // because it can depend on files of which `#inspect` does not notice a change.
    const inspection = await (kind === 'read' ? this.#inspect() : this.#refreshInspection());
    const { top, gitDir, commonDir } = inspection.layout;
    const { timeouts } = this.#context;
    const { signal } = this.call;
    const progress = this.#nextProgress?.();
    using report = progress && kind === 'read' ? new ReadProgress(progress, command.args[0]!) : undefined;
    const reader = await command.reader?.();
    const started = Date.now();
    let output: CommandOutput;
    try {
      output = await this.#context.program.run({
        args: command.args,
        cwd: top,
        env: {
          ...(kind === 'remote' ? inspection.remoteEnvironment : inspection.environment),
          ...(kind === 'read' && { GIT_OPTIONAL_LOCKS: '0' }),
          ...(command.literalPaths === false && { GIT_LITERAL_PATHSPECS: '0' }),
          ...(command.index !== undefined && { GIT_INDEX_FILE: command.index }),
          ...(command.author && {
            GIT_AUTHOR_NAME: command.author.name,
            GIT_AUTHOR_EMAIL: command.author.email,
            GIT_AUTHOR_DATE: command.author.date,
          }),
        },
        input: command.input,
        signal,
        writes: kind !== 'read',
        timeoutMs: kind === 'read' ? timeouts.readMs : timeouts.writeMs,
        maxBytes,
        onChunk: reader && ((chunk) => reader.push(chunk)),
        onBytes: report && ((bytes) => report.addBytes(bytes)),
        onStderrLine: progress && progressReader(progress),
        findObstacle:
          kind === 'remote'
            ? undefined
            : (ended) => findBlockingFile({ top, gitDirs: [gitDir, commonDir], signal: ended }),
      });
    } catch (error) {
      // Lock files of a stopped git can be removed, because only this call holds the repository's lock.
      if (error instanceof GitStoppedError && kind !== 'read')
        await removeStaleLocks(inspection.layout, started, runningGroups());
      throw error;
    }
    if (output.code !== 0 && !accept.includes(output.code)) throw commandError(command, output);
    if (reader) return reader.result(output);
    return command.parse?.(output) as Result;
  }

  /** Returns the last inspection or, if the repository has changed since then, a new one. */
  async #inspect(): Promise<Inspection> {
    const last = this.#state.inspection;
    const known = await last?.catch(() => undefined);
    if (known && !known.includes && identities(decisiveFiles(known.layout)) === known.fingerprint) {
      assertLinksAllowed(known.layout, this.allowed);
      return known;
    }
    // If a concurrent read has started a new inspection meanwhile, this read uses that inspection.
    const { inspection } = this.#state;
    return inspection === undefined || inspection === last ? this.#refreshInspection() : inspection;
  }

  #refreshInspection(): Promise<Inspection> {
    const last = this.#state.inspection ?? this.#state.location;
    const inspection = async () =>
      inspectRepository(this.#context, this.root, await last?.catch(() => undefined));
    this.#state.inspection = inspection();
    return this.#state.inspection;
  }
}

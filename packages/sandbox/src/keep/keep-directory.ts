import {
  closeSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { quoted } from '@mcp/kit';
import { AllowedDirectory } from '../access/allowed-directory.ts';
import { platformOpener } from '../open/platform-opener.ts';
import { parseRecord, type KeptRecord, type RecordLine } from './kept-record.ts';

export interface KeepOptions {
  /** A directory outside the allowed directories, which only its owner can read; created if it is missing. */
  readonly directory: string;
  /** Maximum number of bytes to keep, above which the oldest changes are deleted. Default: 1 GiB. */
  readonly maxBytes?: number | undefined;
  /** Days after which a kept change is deleted. Default: 7. */
  readonly maxDays?: number | undefined;
  /** Advice for the error of a change whose old content cannot be kept. Default: no advice. */
  readonly advice?: string | undefined;
}

/** The error for a change whose old content does not fit into the directory. */
export class TooLargeToKeep extends Error {
  override name = 'TooLargeToKeep';
}

const defaultKeepBytes = 1024 ** 3;
const defaultKeepDays = 7;
const dayMs = 24 * 60 * 60 * 1000;
/** The maximum number of kept changes: the records of all are read before the next change is kept. */
const maxRecords = 5_000;
const idPattern = /^[0-9a-f]{8}$/;
/** The prefix of the name of a kept change while it is being deleted. */
const gone = 'gone-';

/** Deletes the entry of the keep directory that has this name, with its content. */
type Deletion = (name: string) => Promise<unknown>;

/**
 * The directory in which the old content of changed files is kept. Each change has a subdirectory, named by a
 * random id. It contains a record of the changed paths, and for each path a numbered entry with the old
 * content. The record is on the disk before the first entry.
 */
export class KeepDirectory {
  readonly maxBytes: number;
  readonly maxDays: number;
  readonly advice: string | undefined;
  readonly directory: AllowedDirectory;
  #delete: Deletion | undefined;
  #lastTime = 0;
  readonly #cache = new Map<string, { readonly length: number; readonly record: KeptRecord }>();

  /**
   * Opens the directory. Throws if the path is a symlink, if it is inside one of the `allowed` directories or
   * contains one, or if other users could read or change it.
   */
  static open(options: KeepOptions, allowed: readonly AllowedDirectory[] = []): KeepDirectory {
    const path = resolve(options.directory);
    mkdirSync(dirname(path), { recursive: true });
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const stats = lstatSync(path);
    if (!stats.isDirectory())
      throw new Error(
        `The directory for kept files is a symlink; name the directory itself: ${quoted(path)}`,
      );
    // Checked before the mode, because a directory at the wrong place needs no other mode.
    refuseOverlap(realpathSync(path), allowed);
    const user = process.geteuid?.() ?? -1;
    if (user >= 0 && stats.uid !== user)
      throw new Error(`The directory for kept files belongs to another user: ${quoted(path)}`);
    if (user >= 0 && (stats.mode & 0o077) !== 0)
      throw new Error(
        `Other users can read or change the directory for kept files; chmod 700 ${quoted(path)}`,
      );
    return new KeepDirectory(AllowedDirectory.open(path, platformOpener()), options);
  }

  private constructor(
    directory: AllowedDirectory,
    { maxBytes = defaultKeepBytes, maxDays = defaultKeepDays, advice }: KeepOptions,
  ) {
    this.directory = directory;
    this.maxBytes = maxBytes;
    this.maxDays = maxDays;
    this.advice = advice;
  }

  /** Sets the function that deletes entries. Before this call, nothing is deleted. */
  deleteBy(deletion: Deletion): void {
    this.#delete ??= deletion;
  }

  /** Throws if this directory is inside an allowed directory, or contains one. */
  refuseOverlap(allowed: readonly AllowedDirectory[]): void {
    refuseOverlap(this.directory.real, allowed);
  }

  /** Returns the path of an entry of a kept change, through the descriptor of this directory. */
  pathOf(id: string, entry = ''): string {
    return this.directory.pathTo(join(id, entry));
  }

  /**
   * Deletes changes older than `maxDays`, then the oldest ones until `bytes` more fit, but not the change
   * with the id `own`. Throws if the bytes cannot fit.
   */
  async makeRoom(bytes: number, own?: string): Promise<void> {
    const records = this.records();
    const ownBytes = records.find(({ id }) => id === own)?.bytes ?? 0;
    if (ownBytes + bytes > this.maxBytes)
      throw new TooLargeToKeep(
        `the change has ${ownBytes + bytes} bytes, and at most ${this.maxBytes} bytes can be kept`,
      );
    let sum = records.reduce((total, each) => total + each.bytes, bytes);
    let left = records.length;
    for (const { id, bytes: freed, time } of records.toReversed()) {
      const isOld = Date.now() - time.getTime() > this.maxDays * dayMs;
      if (id === own || (!isOld && sum <= this.maxBytes && left <= maxRecords)) continue;
      await this.forget(id);
      sum -= freed;
      left--;
    }
    for (const name of readdirSync(this.directory.pathTo('')))
      if (name.startsWith(gone)) await this.#delete?.(name).catch(() => {});
  }

  /**
   * The time of a new change, in milliseconds since 1970: later than that of each change before it, so that
   * changes of one millisecond keep their order.
   */
  nextTime(): number {
    this.#lastTime = Math.max(Date.now(), this.#lastTime + 1);
    return this.#lastTime;
  }

  /** Creates the directory of a new change, and returns the id of the change. */
  create(): string {
    for (;;) {
      const id = crypto.randomUUID().slice(0, 8);
      try {
        mkdirSync(this.pathOf(id), { mode: 0o700 });
        return id;
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
      }
    }
  }

  /** Appends lines to the record of a change, and waits until they are on the disk. */
  record(id: string, lines: readonly RecordLine[]): void {
    const fd = openSync(this.pathOf(id, 'record'), 'a+', 0o600);
    try {
      const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
      const bytes = Buffer.from(endsInLine(fd) ? `\n${text}` : text);
      for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    this.sync(id);
    this.sync('');
  }

  /** Waits until the directory of a change, with the names in it, is on the disk. */
  sync(id: string): void {
    // Windows cannot open directories.
    if (process.platform === 'win32') return;
    const fd = openSync(this.pathOf(id), 'r');
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  }

  /** Returns the kept changes, the newest first. */
  records(): KeptRecord[] {
    const ids = readdirSync(this.directory.pathTo('')).filter((name) => idPattern.test(name));
    return ids
      .flatMap((id) => this.find(id) ?? [])
      .sort((a, b) => b.time.getTime() - a.time.getTime() || (a.id < b.id ? -1 : 1));
  }

  /** Returns a kept change; undefined if there is none of this id. */
  find(id: string): KeptRecord | undefined {
    if (!idPattern.test(id)) return undefined;
    try {
      const path = this.pathOf(id, 'record');
      const { size } = lstatSync(path);
      const known = this.#cache.get(id);
      if (known?.length === size) return known.record;
      const record = parseRecord(id, readFileSync(path, 'utf8'));
      this.#cache.set(id, { length: size, record });
      return record;
    } catch {
      return this.#unfinished(id);
    }
  }

  /** Deletes a kept change. It is renamed first, so that no process restores it when it is partly deleted. */
  async forget(id: string): Promise<void> {
    this.#cache.delete(id);
    const name = `${gone}${id}`;
    try {
      renameSync(this.pathOf(id), this.pathOf(name));
    } catch {
      // Another process is deleting the change.
      return;
    }
    await this.#delete?.(name).catch(() => {});
  }

  close(): void {
    this.directory.close();
  }

  /** Returns an empty record for a change whose record was never written, so that it is deleted later. */
  #unfinished(id: string): KeptRecord | undefined {
    const stats = lstatSync(this.pathOf(id), { throwIfNoEntry: false });
    return stats && { id, time: stats.mtime, what: '', bytes: 0, items: [] };
  }
}

/** Whether the last line of an open file was not written whole, as on a full disk. */
function endsInLine(fd: number): boolean {
  const last = Buffer.alloc(1);
  const { size } = fstatSync(fd);
  return size > 0 && readSync(fd, last, 0, 1, size - 1) === 1 && last[0] !== 0x0a;
}

function refuseOverlap(real: string, allowed: readonly AllowedDirectory[]): void {
  for (const each of allowed) {
    if (`${real}${sep}`.startsWith(withSeparator(each.real)) || each.real.startsWith(`${real}${sep}`))
      throw new Error(
        `The directory for kept files must be outside the allowed directories: ${quoted(real)} and ${quoted(each.name)}`,
      );
  }
}

function withSeparator(path: string): string {
  return path.endsWith(sep) ? path : path + sep;
}

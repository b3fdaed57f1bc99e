import * as fs from 'node:fs';
import type { OpenedPath } from '../access/path-opener.ts';
import type { WalkedEntry } from '../traverse/walk.ts';
import type { Needle } from './literal-search.ts';
import { prefilterBufferBytes, prefilterFiles } from './prefilter-files.ts';
import type { PrefilterPool } from './prefilter-pool.ts';

/** Files of one directory, and the indexes of those that may match. */
export interface PrefilteredFiles {
  readonly directory: OpenedPath;
  /** The path of the directory from the start of the search; empty, or with a trailing slash. */
  readonly path: string;
  readonly names: readonly string[];
  readonly kept: readonly number[];
}

interface Batch {
  readonly directory: OpenedPath;
  readonly path: string;
  readonly names: string[];
  kept: readonly number[] | undefined;
  done: Promise<void> | undefined;
}

const maxBatchNames = 128;
const maxPendingBatches = 64;

/** Fewer files are read here sooner than another process could return them. */
const minFilesBeforeHelp = 200;
/** A search that has run for this many time slices is worth another process. */
const minSlicesBeforeHelp = 4;

/**
 * Removes files that do not contain some bytes from a search; in long searches with the
 * help of other processes.
 */
export class SearchPrefilter implements Disposable {
  readonly #needle: Needle | undefined;
  readonly #pool: PrefilterPool;
  readonly #buffer = Buffer.allocUnsafeSlow(prefilterBufferBytes);
  readonly #pending: Batch[] = [];
  #batch: Batch | undefined;
  #slices = 0;
  #filesReadHere = 0;

  /** Without a needle, no file is removed. */
  constructor(needle: Needle | undefined, pool: PrefilterPool) {
    this.#needle = needle;
    this.#pool = pool;
  }

  /** Call after each time slice: starts a helper process once the search takes long. */
  startHelperProcess(): void {
    if (this.#needle && ++this.#slices >= minSlicesBeforeHelp) this.#pool.grow();
  }

  /** Adds a file; those of one directory must come consecutively. */
  add({ directory, path, name }: Pick<WalkedEntry<unknown>, 'directory' | 'path' | 'name'>): void {
    if (this.#batch?.directory !== directory || this.#batch.names.length === maxBatchNames) this.#flush();
    this.#batch ??= {
      directory: directory.share(),
      path: path.slice(0, -name.length),
      names: [],
      kept: undefined,
      done: undefined,
    };
    this.#batch.names.push(name);
  }

  /** The batches finished by now, in the order in which they were added. */
  async *finished(): AsyncGenerator<PrefilteredFiles> {
    while (this.#pending[0]?.kept || this.#pending.length > maxPendingBatches) yield* this.#next();
  }

  /** All remaining batches. */
  async *rest(): AsyncGenerator<PrefilteredFiles> {
    this.#flush();
    while (this.#pending.length > 0) yield* this.#next();
  }

  /** Closes the directories of batches that are not needed any more. */
  [Symbol.dispose](): void {
    this.#batch?.directory.close();
    for (const { directory, done } of this.#pending.splice(0)) {
      if (done) void done.then(() => directory.close());
      else directory.close();
    }
  }

  #flush(): void {
    const batch = this.#batch;
    if (!batch) return;
    this.#batch = undefined;
    this.#pending.push(batch);
    const { directory, names } = batch;
    const { dev, ino, size } = directory.stats;
    // Files that the kernel generates on read, as in /proc, are read in parts: keep them all.
    if (size === 0) {
      batch.kept = [...names.keys()];
      return;
    }
    const isLong = this.#filesReadHere >= minFilesBeforeHelp && Number.isSafeInteger(ino);
    const helper = isLong ? this.#pool.leastBusy() : undefined;
    if (!helper || !this.#needle) return this.#prefilterHere(batch);
    const { bytes, rarest } = this.#needle;
    const task = { path: directory.path, dev, ino, names, needle: bytes.toString('base64'), rarest };
    batch.done = helper.run(task).then((kept) => void (batch.kept = kept));
  }

  #prefilterHere(batch: Batch): void {
    const { directory, names } = batch;
    this.#filesReadHere += names.length;
    batch.kept = this.#needle
      ? prefilterFiles(fs, `${directory.base}/`, names, this.#needle, this.#buffer)
      : [...names.keys()];
  }

  async *#next(): AsyncGenerator<PrefilteredFiles> {
    const batch = this.#pending[0]!;
    await batch.done;
    this.#pending.shift();
    try {
      if (!batch.kept) this.#prefilterHere(batch);
      yield { ...batch, kept: batch.kept ?? [] };
    } finally {
      batch.directory.close();
    }
  }
}

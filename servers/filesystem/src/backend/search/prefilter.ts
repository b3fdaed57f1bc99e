import * as fs from 'node:fs';
import { availableParallelism } from 'node:os';
import type { Opened } from '../access/path-opener.ts';
import type { Needle } from './needle.ts';
import { sift, siftBytes } from './prefilter-files.ts';
import { SiftProcess } from './prefilter-process.ts';
import type { Walked } from '../traverse/walk.ts';

/** Files of one directory, and which of them to look at. */
export interface Sifted {
  readonly directory: Opened;
  /** From where the search began; empty, or with a slash at its end. */
  readonly path: string;
  readonly names: readonly string[];
  readonly kept: readonly number[];
}

interface Batch {
  readonly directory: Opened;
  readonly path: string;
  readonly names: string[];
  kept: readonly number[] | undefined;
  done: Promise<void> | undefined;
}

const mostNames = 128;
const mostPending = 64;
/** More than these would wait for the same disk. */
const mostProcesses = Math.min(availableParallelism(), 4);

/** Done sooner than anybody else could be asked to. */
const fewFiles = 200;
/** After so many slices it pays to start a process. */
const longSlices = 4;

const processes = new Set<SiftProcess>();

/** Leaves out files that do not have some bytes in them; other processes do it when there is much to do. */
export class Sieve implements Disposable {
  readonly #needle: Needle | undefined;
  readonly #buffer = Buffer.allocUnsafeSlow(siftBytes);
  readonly #pending: Batch[] = [];
  #batch: Batch | undefined;
  #slices = 0;
  #siftedHere = 0;

  /** Without a needle, nothing is left out. */
  constructor(needle: Needle | undefined) {
    this.#needle = needle;
  }

  /** Called after each slice of work: when it takes long, starts a process to help. */
  getHelp(): void {
    if (!this.#needle || ++this.#slices < longSlices || processes.size === mostProcesses) return;
    const started: SiftProcess = new SiftProcess(() => processes.delete(started));
    processes.add(started);
  }

  /** Takes a file; those of one directory come one after the other. */
  add({ directory, path, name }: Pick<Walked<unknown>, 'directory' | 'path' | 'name'>): void {
    if (this.#batch?.directory !== directory || this.#batch.names.length === mostNames) this.#sift();
    this.#batch ??= {
      directory: directory.share(),
      path: path.slice(0, -name.length),
      names: [],
      kept: undefined,
      done: undefined,
    };
    this.#batch.names.push(name);
  }

  /** What is sifted by now, in the order in which it was added. */
  async *sifted(): AsyncGenerator<Sifted> {
    while (this.#pending[0]?.kept || this.#pending.length > mostPending) yield* this.#next();
  }

  /** All the others. */
  async *rest(): AsyncGenerator<Sifted> {
    this.#sift();
    while (this.#pending.length > 0) yield* this.#next();
  }

  /** Lets go of what nobody wants to know any more. */
  [Symbol.dispose](): void {
    this.#batch?.directory.close();
    for (const { directory, done } of this.#pending.splice(0)) {
      if (done) void done.then(() => directory.close());
      else directory.close();
    }
  }

  #sift(): void {
    const batch = this.#batch;
    if (!batch) return;
    this.#batch = undefined;
    this.#pending.push(batch);
    const { directory, names } = batch;
    const { dev, ino, size } = directory.stats;
    // What is made up as it is read, as in /proc, comes in parts, and is looked at closely.
    if (size === 0) {
      batch.kept = [...names.keys()];
      return;
    }
    const helper = this.#siftedHere >= fewFiles && Number.isSafeInteger(ino) ? leastBusy() : undefined;
    if (!helper || !this.#needle) return this.#siftHere(batch);
    const { bytes, rarest } = this.#needle;
    const task = { path: directory.path, dev, ino, names, needle: bytes.toString('base64'), rarest };
    const sifting = helper.sift(task);
    batch.done = sifting.then((kept) => void (batch.kept = kept));
  }

  #siftHere(batch: Batch): void {
    const { directory, names } = batch;
    this.#siftedHere += names.length;
    batch.kept = this.#needle
      ? sift(fs, `${directory.base}/`, names, this.#needle, this.#buffer)
      : [...names.keys()];
  }

  async *#next(): AsyncGenerator<Sifted> {
    const batch = this.#pending[0]!;
    await batch.done;
    this.#pending.shift();
    try {
      if (!batch.kept) this.#siftHere(batch);
      yield { ...batch, kept: batch.kept ?? [] };
    } finally {
      batch.directory.close();
    }
  }
}

function leastBusy(): SiftProcess | undefined {
  let least: SiftProcess | undefined;
  for (const each of processes) if (each.isUp && each.files < (least?.files ?? Infinity)) least = each;
  return least;
}

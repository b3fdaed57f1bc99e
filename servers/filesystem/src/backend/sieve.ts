import * as fs from 'node:fs';
import { availableParallelism } from 'node:os';
import type { Opened } from './door.ts';
import { sift } from './sift.ts';
import { siftBytes, SiftThread } from './sift-thread.ts';
import type { Walked } from './walk.ts';

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
/** This thread serves meanwhile; more than these would wait for the same disk. */
const mostThreads = Math.min(availableParallelism() - 1, 3);
/** Lasts a thread about as long as this one works before it has a look at answers. */
const mostFiles = 1000;
const mostPending = 64;

const threads = new Set<SiftThread>();

/** Leaves out files that do not have some bytes in them; other threads help when there is much to do. */
export class Sieve implements Disposable {
  readonly #needle: Uint8Array | undefined;
  readonly #buffer = Buffer.allocUnsafeSlow(siftBytes);
  readonly #pending: Batch[] = [];
  #batch: Batch | undefined;
  #isHelped = false;

  /** Without a needle, nothing is left out. */
  constructor(needle: Uint8Array | undefined) {
    this.#needle = needle;
  }

  /** It takes so long that help pays. */
  getHelp(): void {
    if (this.#isHelped || !this.#needle) return;
    this.#isHelped = true;
    while (threads.size < mostThreads) {
      const thread: SiftThread = new SiftThread(() => threads.delete(thread));
      threads.add(thread);
    }
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
    const all = () => void (batch.kept = [...names.keys()]);
    if (!this.#needle) return all();
    const task = { base: directory.base, names, needle: this.#needle };
    const thread = this.#isHelped ? freeThread() : undefined;
    if (thread) batch.done = thread.sift(task).then((kept) => void (batch.kept = kept), all);
    else batch.kept = sift(fs, task, this.#buffer);
  }

  async *#next(): AsyncGenerator<Sifted> {
    const batch = this.#pending[0]!;
    await batch.done;
    this.#pending.shift();
    try {
      yield { ...batch, kept: batch.kept ?? [] };
    } finally {
      batch.directory.close();
    }
  }
}

function freeThread(): SiftThread | undefined {
  let free: SiftThread | undefined;
  for (const thread of threads) {
    if (thread.isUp && thread.files < (free?.files ?? mostFiles)) free = thread;
  }
  return free;
}

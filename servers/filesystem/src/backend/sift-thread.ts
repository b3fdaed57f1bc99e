import type { Worker } from 'node:worker_threads';
import { sift, type SiftTask } from './sift.ts';

/** A file that fills this is one to look at closely. */
export const siftBytes = 128 * 1024;

/** How long a thread waits for another search before it ends. */
const idleMs = 10_000;

/** Runs in the thread; uses nothing from outside itself. */
function siftInThread(siftAll: typeof sift, bufferBytes: number): void {
  const { parentPort } = process.getBuiltinModule('node:worker_threads');
  const fs = process.getBuiltinModule('node:fs');
  const buffer = Buffer.allocUnsafeSlow(bufferBytes);
  parentPort!.on('message', (task: SiftTask) => parentPort!.postMessage(siftAll(fs, task, buffer)));
}

interface Waiting {
  readonly files: number;
  readonly resolve: (kept: number[]) => void;
  readonly reject: (error: Error) => void;
}

/** Sifts files beside the thread that serves, one task after the other. It never keeps the process alive. */
export class SiftThread {
  /** How many files it has been given and not answered for. */
  files = 0;
  readonly #worker: Worker;
  readonly #waiting: Waiting[] = [];
  readonly #ended: () => void;
  #isUp = false;
  #idle: NodeJS.Timeout | undefined;

  constructor(ended: () => void) {
    const { Worker: Thread } = process.getBuiltinModule('node:worker_threads');
    this.#ended = ended;
    this.#worker = new Thread(`(${siftInThread.toString()})(${sift.toString()}, ${siftBytes})`, {
      eval: true,
      resourceLimits: { maxOldGenerationSizeMb: 32 },
    });
    this.#worker.on('online', () => this.#begin());
    this.#worker.on('message', (kept: number[]) => this.#answered(kept));
    this.#worker.on('error', (error: Error) => this.#end(error));
  }

  /** Whether it can begin at once, or soon enough. */
  get isUp(): boolean {
    return this.#isUp;
  }

  sift(task: SiftTask): Promise<number[]> {
    clearTimeout(this.#idle);
    // Who waits for an answer keeps the process alive, and nobody else.
    this.#worker.ref();
    this.files += task.names.length;
    return new Promise((resolve, reject) => {
      this.#waiting.push({ files: task.names.length, resolve, reject });
      this.#worker.postMessage(task);
    });
  }

  #begin(): void {
    this.#isUp = true;
    this.#rest();
  }

  #answered(kept: number[]): void {
    const answered = this.#waiting.shift()!;
    this.files -= answered.files;
    if (this.#waiting.length === 0) this.#rest();
    answered.resolve(kept);
  }

  #rest(): void {
    this.#worker.unref();
    this.#idle = setTimeout(() => this.#end(new Error('Not needed any more')), idleMs).unref();
  }

  #end(error: Error): void {
    clearTimeout(this.#idle);
    this.#isUp = false;
    this.#ended();
    void this.#worker.terminate();
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}

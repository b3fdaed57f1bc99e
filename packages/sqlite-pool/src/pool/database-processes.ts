import { ReaderPool } from './reader-pool.ts';
import { WriteQueue } from './write-queue.ts';

/** The child processes that run SQL. They belong to one server, or several servers share them. */
export class DatabaseProcesses implements Disposable {
  readonly readers: ReaderPool;
  readonly writers = new WriteQueue();

  /** `maxMemory` is the maximum memory of one reading process, in bytes. */
  constructor({ maxMemory }: { readonly maxMemory: number }) {
    this.readers = new ReaderPool({ maxMemory });
  }

  [Symbol.dispose](): void {
    this.readers.close();
    this.writers.close();
  }
}

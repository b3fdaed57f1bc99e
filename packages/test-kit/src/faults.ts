import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const source = fileURLToPath(new URL('inject-faults.c', import.meta.url));
/** In the order of the library's constants. */
const calls = ['open', 'write', 'fsync', 'rename', 'link', 'unlink', 'close', 'read', 'truncate'] as const;
/** The number that the library takes for an error, instead of an `errno`. */
const kill = -1;
const bytes = 20;

export interface Fault {
  readonly call: (typeof calls)[number];
  /** The number of calls that succeed before. */
  readonly after: number;
  /**
   * The `errno`; 0 with `rename`: another program deletes the new file; `kill`: the process is killed instead
   * of the call.
   */
  readonly error: number | 'kill';
  readonly isLasting: boolean;
}

/** The faults of a program and of all processes that it starts, in calls for paths in a directory. */
export class Faults implements Disposable {
  /** What the program's environment needs. */
  readonly env: Readonly<Record<'LD_PRELOAD' | 'FAULT_CONTROL' | 'FAULT_DIRECTORY', string>>;
  readonly #control: number;

  private constructor(library: string, control: string, directory: string) {
    writeFileSync(control, Buffer.alloc(bytes));
    this.#control = openSync(control, 'r+');
    this.env = { LD_PRELOAD: library, FAULT_CONTROL: control, FAULT_DIRECTORY: directory };
  }

  /** Compiles the library into the directory `place`. Undefined without a C compiler. */
  static compile(place: string, directory: string): Faults | undefined {
    const library = join(place, 'faults.so');
    try {
      execFileSync('cc', ['-shared', '-fPIC', '-o', library, source, '-ldl'], { stdio: 'ignore' });
    } catch {
      return undefined;
    }
    return new Faults(library, join(place, 'control'), directory);
  }

  /** Does the work with a fault. Returns its result, and whether the fault occurred. */
  async during<T>({ call, after, error, isLasting }: Fault, work: () => Promise<T>) {
    this.#set(calls.indexOf(call) + 1, after, error === 'kill' ? kill : error, Number(isLasting), 0);
    const result = await work();
    const state = new Int32Array(bytes / 4);
    readSync(this.#control, state, 0, bytes, 0);
    this.#set(0, 0, 0, 0, 0);
    return { result, occurred: state[4]! > 0 };
  }

  #set(...numbers: number[]): void {
    writeSync(this.#control, Int32Array.from(numbers), 0, bytes, 0);
  }

  [Symbol.dispose](): void {
    closeSync(this.#control);
  }
}

/** What a test says that cannot compile the library. */
export const noCompiler = 'Requires a C compiler and a linker with LD_PRELOAD';

/**
 * Attempts an operation with every fault of the first `depth` calls of each function. `attempt` returns
 * whether the fault occurred: where none does, the operation makes no more calls of the function.
 */
export async function everyFault(
  errors: readonly Fault['error'][],
  depth: number,
  attempt: (fault: Fault) => Promise<boolean>,
): Promise<void> {
  for (const call of calls)
    for (const error of errors)
      for (const isLasting of call === 'unlink' || error === 'kill' ? [false] : [false, true])
        for (let after = 0; after < depth; after++)
          if (!(await attempt({ call, after, error, isLasting }))) break;
}

import { spawn, type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';

/**
 * The program of the child process. Each input line has the numbers of two descriptors of the server, whose
 * process id is `$0`. The program copies mode and access control list from the first to the second, and
 * prints the exit status of cp. Needs GNU cp. The input has only numbers, never a file name that the shell
 * could misinterpret.
 */
const program = `while read -r from to; do
  cp --attributes-only --preserve=mode "/proc/$0/fd/$from" "/proc/$0/fd/$to" 2>/dev/null
  echo $?
done`;

const idleMs = 10_000;
const responseTimeoutMs = 2000;
/** Milliseconds after a failure until cp is tried again. */
const retryAfterMs = 60_000;

/**
 * Copies a file's access control list to another. Node has no function for this, so a shell runs cp, and
 * stays open for the next files. If the shell or cp is missing or does not respond, nothing is copied for a
 * minute.
 */
export class AccessControlCopier implements Disposable {
  #retryAt = 0;
  #child: ChildProcess | undefined;
  readonly #pending: ((status: string | undefined) => void)[] = [];
  #idle: NodeJS.Timeout | undefined;

  /**
   * Returns whether the list was copied, on which the caller's choice of a mode depends; always true except
   * on Linux.
   */
  async copy(fromFd: number, toFd: number): Promise<boolean> {
    if (process.platform !== 'linux') return true;
    if (performance.now() < this.#retryAt) return false;
    const status = await this.#run(`${fromFd} ${toFd}\n`);
    // Undefined: the shell failed. Exit status 127: cp is missing.
    if (status === undefined || status === '127') this.#retryAt = performance.now() + retryAfterMs;
    return status === '0';
  }

  [Symbol.dispose](): void {
    this.#end();
  }

  #run(line: string): Promise<string | undefined> {
    clearTimeout(this.#idle);
    this.#child ??= this.#start();
    const { stdin, stdout } = this.#child;
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#end(), responseTimeoutMs).unref();
      this.#pending.push((status) => {
        clearTimeout(timer);
        resolve(status);
      });
      (stdout as Socket | null)?.ref();
      stdin?.write(line);
    });
  }

  #start(): ChildProcess {
    const child = spawn('/bin/sh', ['-c', program, String(process.pid)], {
      cwd: '/',
      stdio: ['pipe', 'pipe', 'ignore'],
      // The child has its own process group, so that a cp that does not respond is killed together with the
      // shell. If it lived on, the same descriptor numbers could later belong to other files.
      detached: true,
    });
    for (const event of ['error', 'exit']) child.on(event, () => child === this.#child && this.#end());
    const { stdin, stdout } = child as ChildProcess;
    // If this process has no free descriptors, the child has neither `stdin` nor `stdout`. The `error` event
    // that follows fails the pending copies.
    if (!stdin || !stdout) return child;
    stdin.on('error', () => {});
    createInterface({ input: stdout }).on('line', (status) => this.#onStatus(status));
    child.unref();
    for (const pipe of [stdin, stdout]) (pipe as Socket).unref();
    return child;
  }

  #onStatus(status: string): void {
    this.#pending.shift()?.(status);
    if (this.#pending.length > 0) return;
    (this.#child?.stdout as Socket | undefined)?.unref();
    this.#idle = setTimeout(() => this.#end(), idleMs).unref();
  }

  #end(): void {
    clearTimeout(this.#idle);
    const child = this.#child;
    this.#child = undefined;
    if (child?.pid !== undefined) killGroup(child.pid);
    for (const resolve of this.#pending.splice(0)) resolve(undefined);
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The process group has already ended.
  }
}

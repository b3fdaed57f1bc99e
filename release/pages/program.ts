import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

/** The longest time that a program runs, on a busy machine. */
const maxRunMs = 180_000;

/** A running program of a page. */
export class Program implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  #output = '';
  #isLate = false;
  #changed = () => {};

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.#exited = once(child, 'exit');
    for (const stream of [child.stdout!, child.stderr!]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text;
        this.#changed();
      });
    }
    child.once('exit', () => this.#changed());
    const timer = setTimeout(() => this.#timeOut(), maxRunMs);
    child.once('exit', () => clearTimeout(timer));
  }

  static start(command: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): Program {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, NO_COLOR: '1', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      // The program gets a process group of its own, so that all its processes can be killed.
      detached: true,
    });
    return new Program(child);
  }

  /** Does some work with the program. Rejects, with what the program has printed, if it ends meanwhile. */
  async during(work: () => Promise<void>): Promise<void> {
    const ended = this.#exited.then(() => Promise.reject(new Error('The program has ended')));
    // It also ends after the work.
    ended.catch(() => {});
    try {
      await Promise.race([work(), ended]);
    } catch (error) {
      throw new Error(`The program has printed:\n${this.#output}`, { cause: error });
    }
  }

  /** Waits until the program has printed what `pattern` matches. Rejects when it ends before. */
  async printed(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = pattern.exec(this.#output);
      if (found) return found;
      if (this.#hasEnded || this.#isLate)
        throw new Error(`The program has not printed ${pattern}, but:\n${this.#output}`);
      await new Promise<void>((resolve) => (this.#changed = resolve));
    }
  }

  /**
   * Ends the program as an operator does, or the process `pid` in it. Throws when it does not end as
   * expected: by itself, with a code, or by the signal.
   */
  async end(expected: number | 'SIGTERM' = 0, pid = this.#child.pid!): Promise<void> {
    process.kill(pid, 'SIGTERM');
    await this.#exited;
    const { exitCode, signalCode } = this.#child;
    if ((exitCode ?? signalCode) !== expected)
      throw new Error(`The program ends with ${exitCode ?? signalCode} after SIGTERM:\n${this.#output}`);
  }

  /** The only child of the program. */
  get child(): number {
    return Number(spawnSync('pgrep', ['-P', String(this.#child.pid)], { encoding: 'utf8' }).stdout);
  }

  /** Kills a program that runs for too long, so that no wait for it lasts longer. */
  #timeOut(): void {
    this.#isLate = true;
    this.#changed();
    this.#kill();
  }

  #kill(): void {
    try {
      process.kill(-this.#child.pid!, 'SIGKILL');
    } catch {
      // No process of the group is left.
    }
  }

  get #hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.pid === undefined) return;
    this.#kill();
    await this.#exited;
  }
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** A running program of a page. */
export class Program implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  #output = '';
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

  /** Waits until the program has printed what `pattern` matches. Rejects when it ends before. */
  async printed(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = pattern.exec(this.#output);
      if (found) return found;
      if (this.#hasEnded) throw new Error(`The program has ended without ${pattern}:\n${this.#output}`);
      await new Promise<void>((resolve) => (this.#changed = resolve));
    }
  }

  /** Ends the program as an operator does. Returns its code, and all that it has printed. */
  async end(): Promise<{ readonly code: number | null; readonly output: string }> {
    this.#child.kill('SIGTERM');
    await this.#exited;
    return { code: this.#child.exitCode, output: this.#output };
  }

  get #hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.pid === undefined) return;
    try {
      process.kill(-this.#child.pid, 'SIGKILL');
    } catch {
      // No process of the group is left.
    }
    await this.#exited;
  }
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { messageOf } from '@mcp/kit';

/** A change of a watched server: a resource by its URI, or one of its lists. */
export interface Change {
  readonly server: string;
  readonly uri?: string;
  readonly list?: string;
}

export interface ExecOptions {
  readonly command: string;
  /** Milliseconds after which a command and its children are killed. */
  readonly timeoutMs: number;
  readonly warn: (message: string) => void;
}

/**
 * Runs a command for each change, one run at a time. If a resource changes several times during a run, the
 * next run is for all of these changes.
 */
export class ExecQueue {
  readonly #options: ExecOptions;
  readonly #waiting = new Map<string, { readonly change: Change; count: number }>();
  #running: Promise<void> | undefined;
  #child: ChildProcess | undefined;

  constructor(options: ExecOptions) {
    this.#options = options;
  }

  add(change: Change): void {
    const key = JSON.stringify([change.server, change.uri, change.list]);
    const waiting = this.#waiting.get(key);
    if (waiting) waiting.count++;
    else this.#waiting.set(key, { change, count: 1 });
    this.#running ??= this.#runAll();
  }

  /** Resolves when no run is in progress and no change waits for a run. */
  async drained(): Promise<void> {
    await this.#running;
  }

  /** Kills the command that runs, and drops the changes that wait. */
  stop(): void {
    this.#waiting.clear();
    this.#kill();
  }

  async #runAll(): Promise<void> {
    for (;;) {
      const [next] = this.#waiting;
      if (!next) break;
      this.#waiting.delete(next[0]);
      await this.#run(next[1]);
    }
    this.#running = undefined;
  }

  async #run({ change, count }: { readonly change: Change; readonly count: number }): Promise<void> {
    const { command, timeoutMs, warn } = this.#options;
    const { server, uri = '', list = '' } = change;
    const env = {
      ...process.env,
      MCP_SERVER: server,
      MCP_URI: uri,
      MCP_LIST: list,
      MCP_CHANGES: String(count),
    };
    // The command gets a process group of its own, so that it can be killed together with its children.
    const detached = process.platform !== 'win32';
    const child = spawn(command, { shell: true, detached, stdio: ['ignore', 'inherit', 'inherit'], env });
    this.#child = child;
    const timer = setTimeout(() => {
      warn(`The command of --exec was killed after ${timeoutMs / 1_000} seconds`);
      this.#kill();
    }, timeoutMs);
    try {
      const [code] = (await once(child, 'exit')) as [number | null];
      if (code) warn(`The command of --exec ended with exit code ${code}`);
    } catch (error) {
      warn(`The command of --exec did not start: ${messageOf(error)}`);
    } finally {
      clearTimeout(timer);
      this.#child = undefined;
    }
  }

  #kill(): void {
    const pid = this.#child?.pid;
    if (pid === undefined) return;
    try {
      if (process.platform === 'win32') this.#child?.kill('SIGKILL');
      else process.kill(-pid, 'SIGKILL');
    } catch {
      // The command has ended already.
    }
  }
}

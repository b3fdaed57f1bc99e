import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { compileCache } from '@mcp/test-kit';
import { onTestFinished } from 'vitest';
import { quoted } from './workspace.ts';

/** Whether terminals can be made here: `script` of util-linux makes them. */
export const hasTerminals = /util-linux/.test(spawnSync('script', ['--version']).stdout?.toString() ?? '');

if (!hasTerminals)
  process.stdout.write('Skipped: tests in a terminal: script of util-linux is not installed\n');

/** Maximum wait for text on a terminal; then the test fails with the text so far. */
const maxWaitMs = 20_000;

export interface TerminalOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly columns?: number;
}

/** A command line in a terminal of its own. */
export class Terminal {
  readonly #child: ChildProcess;
  #output = '';
  #changed: (() => void) | undefined;
  #isOver = false;
  readonly #ended: Promise<unknown>;

  constructor(commandLine: string, { env, columns = 80 }: TerminalOptions) {
    const script = `stty cols ${columns} rows 40; exec ${commandLine}`;
    this.#child = spawn('script', ['-qefc', `exec sh -c ${quoted(script)}`, '/dev/null'], {
      env: { ...compileCache, TERM: 'xterm-256color', SHELL: '/bin/sh', ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    onTestFinished(() => void this.#child.kill('SIGKILL'));
    this.#ended = once(this.#child, 'exit');
    this.#child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      this.#output += text;
      this.#changed?.();
    });
    this.#child.stdout!.once('end', () => this.#end());
  }

  /** The output after the last match of `shows`. */
  get output(): string {
    return this.#output;
  }

  /** Types text; a key is its control character. */
  type(text: string): void {
    this.#child.stdin!.write(text);
  }

  /** Resolves with all output up to `pattern`; the next call begins after it. */
  async shows(pattern: RegExp | string): Promise<string> {
    const timer = setTimeout(() => this.#end(), maxWaitMs);
    try {
      for (;;) {
        const found =
          typeof pattern === 'string' ? indexOf(this.#output, pattern) : pattern.exec(this.#output);
        if (found) {
          const end = found.index + found[0].length;
          const shown = this.#output.slice(0, end);
          this.#output = this.#output.slice(end);
          return shown;
        }
        if (this.#isOver)
          throw new Error(`Not shown: ${String(pattern)}, but ${JSON.stringify(this.#output)}`);
        await new Promise<void>((resolve) => (this.#changed = resolve));
      }
    } finally {
      clearTimeout(timer);
    }
  }

  #end(): void {
    this.#isOver = true;
    this.#changed?.();
  }

  /** Waits for the end of the command, and returns its exit code. */
  async ended(): Promise<number | null> {
    await this.#ended;
    return this.#child.exitCode;
  }
}

function indexOf(text: string, part: string) {
  const index = text.indexOf(part);
  return index === -1 ? undefined : { index, 0: part };
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeBlocks } from '../../docs/test/pages.ts';
import { repository } from '../server-program.ts';

/** The program of a page, running in a process of its own beside the installed frameworks. */
export class PageProgram implements AsyncDisposable {
  readonly #directory: string;
  readonly #child: ChildProcess;
  #output = '';
  #heard: () => void = () => {};

  private constructor(directory: string, child: ChildProcess) {
    this.#directory = directory;
    this.#child = child;
    for (const stream of [child.stdout!, child.stderr!]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text;
        this.#heard();
      });
    }
    child.once('exit', () => this.#heard());
  }

  /** Starts the program, with the changes that `edit` makes to its text. */
  static start(page: string, edit = (code: string) => code): PageProgram {
    const generated = join(repository, 'test/frameworks/.generated');
    mkdirSync(generated, { recursive: true });
    const directory = mkdtempSync(join(generated, 'page-'));
    const { code, file } = codeBlocks(page).find(({ language }) => language === 'ts')!;
    writeFileSync(join(directory, file!), edit(code));
    const child = spawn(process.execPath, [file!], {
      cwd: directory,
      env: { ...process.env, PORT: '0' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return new PageProgram(directory, child);
  }

  /** Waits until the program has printed what `pattern` matches. */
  async printed(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = pattern.exec(this.#output);
      if (found) return found;
      if (this.#child.exitCode !== null) throw new Error(`The program has ended: ${this.#output}`);
      await new Promise<void>((resolve) => (this.#heard = resolve));
    }
  }

  /** Ends the program as an operator does, and returns its code. */
  async end(): Promise<number | null> {
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    const [code] = (await exited) as [number | null];
    return code;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const exited = once(this.#child, 'exit');
      this.#child.kill('SIGKILL');
      await exited;
    }
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

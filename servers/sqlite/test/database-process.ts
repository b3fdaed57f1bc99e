import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('children/database.mjs', import.meta.url));

/** Another process that has a database open, and does there what it is told. */
export class OtherProcess implements Disposable {
  readonly #child;
  readonly #answers: ((line: string) => void)[] = [];

  constructor(path: string) {
    this.#child = spawn(process.execPath, [program, path], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#child.stdin.on('error', () => {});
    createInterface(this.#child.stdout).on('line', (line) => this.#answers.shift()?.(line));
  }

  /** Runs SQL there; resolves when it is done, and rejects with what is wrong. */
  async run(sql: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<string>();
    this.#answers.push(resolve);
    this.#child.stdin.write(`${JSON.stringify(sql)}\n`);
    const answer = await promise;
    if (answer !== 'done') throw new Error(answer);
  }

  /** Ends it in the midst of whatever it is at. */
  async kill(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGKILL');
    await ended;
  }

  [Symbol.dispose](): void {
    this.#child.kill('SIGKILL');
  }
}

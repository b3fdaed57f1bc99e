import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('children/database.mjs', import.meta.url));

/** Another process with an open database, which runs SQL there. */
export class OtherProcess implements Disposable {
  readonly #child;
  readonly #answers: ((line: string) => void)[] = [];

  constructor(path: string) {
    this.#child = spawn(process.execPath, [program, path], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#child.stdin.on('error', () => {});
    createInterface(this.#child.stdout).on('line', (line) => this.#answers.shift()?.(line));
  }

  /** Runs SQL there. Rejects with the message of an error. */
  async run(sql: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<string>();
    this.#answers.push(resolve);
    this.#child.stdin.write(`${JSON.stringify(sql)}\n`);
    const answer = await promise;
    if (answer !== 'done') throw new Error(answer);
  }

  /** Kills it, also inside a transaction. */
  async kill(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGKILL');
    await ended;
  }

  [Symbol.dispose](): void {
    this.#child.kill('SIGKILL');
  }
}

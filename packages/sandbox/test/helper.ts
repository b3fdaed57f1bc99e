import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export const source = fileURLToPath(new URL('../src/', import.meta.url));

interface HelperOptions {
  /** The user id of the process; defaults to the current user. */
  uid?: number;
  /** The supplementary groups of that user. */
  groups?: number[];
  /** A command, with its arguments, that starts Node. */
  through?: string[];
}

/** A child process that runs JavaScript, with `node:fs` as `fs` and the path of the backend as `source`. */
export class Helper implements AsyncDisposable {
  readonly #process: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  constructor(code: string, { uid, groups = [], through = [] }: HelperOptions = {}) {
    const sources = uid === undefined ? source : readableCopy();
    const setting = `import fs from 'node:fs'; const source = ${JSON.stringify(sources)};\n`;
    const becoming =
      uid === undefined
        ? ''
        : `process.setgroups(${JSON.stringify(groups)}), process.setgid(${uid}), process.setuid(${uid});\n`;
    const [command, ...args] = [
      ...through,
      process.execPath,
      '--conditions=@mcp/source',
      '--input-type=module',
      '-e',
      setting + becoming + code,
    ];
    this.#process = spawn(command!, args, {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#lines = createInterface({ input: this.#process.stdout! })[Symbol.asyncIterator]();
  }

  /** Returns the next line of its standard output. */
  async line(): Promise<string | undefined> {
    const { value, done } = await this.#lines.next();
    return done ? undefined : value;
  }

  /** Writes a line to its standard input. */
  send(line: string): void {
    this.#process.stdin!.write(`${line}\n`);
  }

  async kill(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const exited = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await exited;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.kill();
  }
}

/** Runs JavaScript in a child process to its end and returns the last line, parsed as JSON. */
export async function outcome(code: string, options?: HelperOptions): Promise<unknown> {
  await using helper = new Helper(code, options);
  let last: string | undefined;
  for (let line = await helper.line(); line !== undefined; line = await helper.line()) last = line;
  return last && JSON.parse(last);
}

// The checkout may be unreadable for another user.
function readableCopy(): string {
  const copy = mkdtempSync(join(tmpdir(), 'sandbox-'));
  process.on('exit', () => rmSync(copy, { recursive: true, force: true }));
  cpSync(source, join(copy, 'src'), { recursive: true });
  const kit = fileURLToPath(new URL('../../kit/', import.meta.url));
  for (const part of ['package.json', 'src'])
    cpSync(join(kit, part), join(copy, 'kit', part), { recursive: true });
  mkdirSync(join(copy, 'node_modules/@mcp'), { recursive: true });
  symlinkSync('../../kit', join(copy, 'node_modules/@mcp/kit'));
  execFileSync('chmod', ['-R', 'a+rX', copy]);
  return join(copy, 'src/');
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { docs, repository } from './pages.ts';

/** A directory with the programs of the repository under the names that the pages use. */
export class Workspace implements Disposable {
  readonly directory: string;
  readonly #base: string;
  readonly #env: Readonly<Record<string, string>>;

  constructor() {
    // The directory is inside the repository, so that programs find the packages that they import.
    mkdirSync(join(docs, '.generated'), { recursive: true });
    this.#base = mkdtempSync(join(docs, '.generated/run-'));
    this.directory = join(this.#base, 'project');
    const bin = join(this.#base, 'bin');
    mkdirSync(this.directory);
    mkdirSync(bin);
    const node = `'${process.execPath}'`;
    const put = (name: string, script: string) => {
      writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
      chmodSync(join(bin, name), 0o755);
    };
    put('mcp', `exec ${node} '${join(repository, 'packages/host/dist/main.cjs')}' "$@"`);
    // As npx runs a published package, without a registry.
    put(
      'npx',
      `[ "$1" = -y ] && shift\nname="\${1#@mcp/server-}"\nshift\nexec ${node} '${repository}'/servers/"$name"/dist/main.cjs "$@"`,
    );
    this.#env = {
      PATH: [bin, dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter),
      HOME: join(this.#base, 'home'),
    };
  }

  put(path: string, text: string): void {
    writeFileSync(join(this.directory, path), text);
  }

  /**
   * Runs a command in the directory and returns its output. Runs `meanwhile` once the command is watching.
   */
  async run(command: string, meanwhile?: string): Promise<string> {
    const child = this.spawn(command);
    let printed = '';
    let isReady = meanwhile === undefined;
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        printed += text;
        if (isReady || !printed.includes('watching')) return;
        isReady = true;
        this.spawn(meanwhile!);
      });
    }
    await once(child, 'close');
    return printed;
  }

  /** Starts a command in the directory. */
  spawn(command: string) {
    return spawn('sh', ['-c', command], {
      cwd: this.directory,
      env: this.#env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  [Symbol.dispose](): void {
    rmSync(this.#base, { recursive: true, force: true });
  }
}

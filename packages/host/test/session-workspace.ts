import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileCache, TemporaryDirectory } from '@mcp/test-kit';
import type { Session } from './sessions.ts';
import { fixture, program, quoted } from './workspace.ts';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** The directory that the sessions of the documents run in, one after the other. */
export class SessionWorkspace implements Disposable {
  readonly #directory = new TemporaryDirectory('host-sessions');
  readonly #env: Readonly<Record<string, string>>;
  #lastCode = 0;

  constructor() {
    const { root, base } = this.#directory;
    const servers = path('../../../servers');
    const node = (...args: string[]) => ({ command: process.execPath, args });
    this.#directory.put('notes.txt', 'Milk\nBread\n');
    const entries = {
      files: node(join(servers, 'filesystem/dist/main.cjs'), '.'),
      weather: node(join(servers, 'weather/dist/main.cjs'), '--demo', '--data', join(base, 'weather')),
      lab: node(fixture, join(root, 'notes.txt')),
    };
    // One line for each server, as the documents show their lines.
    const lines = Object.entries(entries).map(([name, entry]) => `"${name}": ${JSON.stringify(entry)}`);
    this.#directory.put('.mcp.json', `{\n"mcpServers": {\n${lines.join(',\n')}\n}\n}\n`);
    const bin = join(base, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'mcp'), `#!/bin/sh\nexec ${quoted(process.execPath)} ${quoted(program)} "$@"\n`);
    chmodSync(join(bin, 'mcp'), 0o755);
    this.#env = {
      ...compileCache,
      PATH: [bin, dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter),
      HOME: join(base, 'home'),
    };
  }

  /** Runs one command, and returns its output. */
  async run({ command, meanwhile }: Session): Promise<string> {
    const child = this.#spawn(`(exit ${this.#lastCode}); ${command}`);
    const printed = this.#printed(child, meanwhile);
    const [code] = (await once(child, 'close')) as [number];
    this.#lastCode = code;
    return printed();
  }

  /** Collects stdout and stderr in the order in which they come. */
  #printed(child: ChildProcess, meanwhile: string | undefined): () => string {
    let printed = '';
    let isReady = meanwhile === undefined;
    for (const stream of [child.stdout!, child.stderr!]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        printed += text;
        if (isReady || !printed.includes('watching')) return;
        isReady = true;
        this.#spawn(meanwhile!);
      });
    }
    return () => printed;
  }

  #spawn(command: string): ChildProcess {
    return spawn('sh', ['-c', command], {
      cwd: this.#directory.root,
      env: this.#env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  [Symbol.dispose](): void {
    this.#directory[Symbol.dispose]();
  }
}

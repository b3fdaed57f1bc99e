import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { codeBlocks } from '../../docs/test/pages.ts';
import { repository } from '../pack/pack.ts';

const pages = join(repository, 'release/pages');

/**
 * A project with the files of a page, and the packed packages in `node_modules`. It is below the installed
 * packages of the pages, so that its programs find these too.
 */
export class Project implements Disposable {
  readonly directory: string;
  /** Has the commands of the installed packages, and `npx` for the packed host. */
  readonly env: NodeJS.ProcessEnv;
  /** Not below the project: Next takes no directory for a workspace that has the user's home in it. */
  readonly #home = mkdtempSync(join(tmpdir(), 'home-'));

  /** `unpacked` is a directory with the packed packages in `node_modules`. */
  constructor(page: string, unpacked: string) {
    const generated = join(pages, '.generated');
    mkdirSync(generated, { recursive: true });
    this.directory = mkdtempSync(join(generated, 'page-'));
    for (const name of ['node_modules/@mcp/protocol', 'node_modules/@mcp/host'])
      cpSync(join(unpacked, name), join(this.directory, name), { recursive: true });
    const dependencies = { '@mcp/protocol': '*', zod: '*' };
    this.put('package.json', JSON.stringify({ type: 'module', dependencies }));
    for (const { file, code } of codeBlocks(page)) if (file !== undefined) this.put(file, code);
    const host = join(this.directory, 'node_modules/@mcp/host/dist/main.cjs');
    this.put('bin/npx', npx(host));
    chmodSync(join(this.directory, 'bin/npx'), 0o755);
    const bins = [
      join(this.directory, 'bin'),
      // The command of the package is a program of Node, which ends at a signal without passing it to Deno.
      join(repository, 'release/node_modules/deno-package'),
      join(pages, 'node_modules/.bin'),
      join(repository, 'release/node_modules/.bin'),
      dirname(process.execPath),
    ];
    this.env = {
      PATH: [...bins, process.env['PATH']].join(delimiter),
      HOME: this.#home,
    };
  }

  put(file: string, text: string): void {
    const path = join(this.directory, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  [Symbol.dispose](): void {
    for (const directory of [this.directory, this.#home])
      rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Runs the packed host by its name, and other commands as they are installed, without a registry. */
function npx(host: string): string {
  return `#!/bin/sh
[ "$1" = -y ] && shift
if [ "$1" = @mcp/host ]; then shift; exec '${process.execPath}' '${host}' "$@"; fi
exec "$@"
`;
}

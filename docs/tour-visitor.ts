import { execFile } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const repository = join(import.meta.dirname, '..');

/** A program that adds its name to a file when it starts, and then runs a server. */
const markedProgram = `import { appendFileSync } from 'node:fs';
import { createRequire } from 'node:module';
const [file, name, program] = process.argv.splice(2, 3);
appendFileSync(file, name + '\\n');
createRequire(import.meta.url)(program);
`;

/** A home directory with servers in Claude Code, Cursor and VS Code, whose tools were counted once. */
export class TourVisitor implements Disposable {
  /** All that the visitor has, and the directory for temporary files. */
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), 'tour-')));
  readonly home = join(this.base, 'home');
  readonly env: NodeJS.ProcessEnv;
  readonly #marks = join(this.base, 'started');

  static async create(): Promise<TourVisitor> {
    const visitor = new TourVisitor();
    visitor.#configure();
    await promisify(execFile)(
      process.execPath,
      [join(repository, 'packages/host/dist/main.cjs'), 'cost', '--start'],
      { cwd: visitor.base, env: visitor.env },
    );
    if (visitor.started.toSorted().join() !== 'books,files,git,weather')
      throw new Error(`Started: ${visitor.started.join()}`);
    rmSync(visitor.#marks);
    return visitor;
  }

  private constructor() {
    const temporary = join(this.base, 'tmp');
    mkdirSync(temporary);
    this.env = { PATH: process.env['PATH'], HOME: this.home, TMPDIR: temporary, INIT_CWD: this.base };
  }

  /** The servers of the visitor that were started since the visitor was created. */
  get started(): readonly string[] {
    return existsSync(this.#marks) ? readFileSync(this.#marks, 'utf8').trim().split('\n') : [];
  }

  /** All files of the home directory by their paths, with their texts, without those of caches. */
  get files(): ReadonlyMap<string, string> {
    const paths = globSync('**', { cwd: this.home, exclude: ['.cache'] }).filter((path) =>
      statSync(join(this.home, path)).isFile(),
    );
    return new Map(paths.map((path) => [path, readFileSync(join(this.home, path), 'utf8')]));
  }

  [Symbol.dispose](): void {
    rmSync(this.base, { recursive: true, force: true });
  }

  #configure(): void {
    const program = join(this.base, 'marked.mjs');
    writeFileSync(program, markedProgram);
    const server = (name: string, folder: string, ...args: string[]) => ({
      command: process.execPath,
      args: [program, this.#marks, name, join(repository, `servers/${folder}/dist/main.cjs`), ...args],
      cwd: this.base,
    });
    const data = join(this.base, 'weather');
    const books = join(this.base, 'books.db');
    const files = {
      '.claude.json': {
        mcpServers: { files: server('files', 'filesystem', this.base), git: server('git', 'git') },
      },
      '.cursor/mcp.json': { mcpServers: { weather: server('weather', 'weather', '--demo', '--data', data) } },
      '.config/Code/User/mcp.json': { servers: { books: server('books', 'sqlite', books) } },
    };
    for (const [file, content] of Object.entries(files)) {
      mkdirSync(join(this.home, file, '..'), { recursive: true });
      writeFileSync(join(this.home, file), JSON.stringify(content));
    }
    copyFileSync(join(repository, 'servers/sqlite/dist/sample.db'), books);
  }
}

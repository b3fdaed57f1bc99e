import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { programs } from './programs.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const installed = (path: string) => join(repository, 'bench/node_modules/@modelcontextprotocol', path);
const built = (name: string) => join(repository, `servers/${name}/dist/main.cjs`);

const servers = {
  everything: installed('server-everything/dist/index.js'),
  memory: installed('server-memory/dist/index.js'),
  filesystem: built('filesystem'),
  git: built('git'),
  weather: built('weather'),
} as const;

/** Whether the servers of others are installed. */
export const areInstalled = existsSync(servers.everything);

/** What a user has: five servers, each in the file of a host, two of them for this project. */
export const files = {
  'home/.cursor/mcp.json': {
    mcpServers: { everything: { command: 'mcp-server-everything', args: ['stdio'] } },
  },
  'home/.claude.json': { mcpServers: { memory: { command: 'mcp-server-memory', args: [] } } },
  'home/.codex/config.toml': '[mcp_servers.weather]\ncommand = "mcp-server-weather"\nargs = ["--demo"]\n',
  'project/.mcp.json': { mcpServers: { files: { command: 'mcp-server-filesystem', args: ['.'] } } },
  'project/.vscode/mcp.json': {
    servers: { git: { command: 'mcp-server-git', args: ['--repository', '.'] } },
  },
  'project/notes.txt': 'Milk\n',
} as const;

/** The home directory of a user who has the programs and five servers, and the project of the commands. */
export class Place implements Disposable {
  readonly #base = mkdtempSync(join(tmpdir(), 'host-jobs-'));
  readonly project = join(this.#base, 'project');
  readonly #received = join(this.#base, 'received.jsonl');
  readonly #memory = join(this.#base, 'memory.jsonl');
  readonly env: Readonly<Record<string, string>>;

  constructor(variables: Readonly<Record<string, string>>) {
    const bin = join(this.#base, 'bin');
    mkdirSync(bin);
    const script = (name: string, ...words: readonly string[]) =>
      writeFileSync(join(bin, name), `#!/bin/sh\nexec ${words.map((word) => `'${word}'`).join(' ')} "$@"\n`, {
        mode: 0o755,
      });
    for (const { command, path } of programs) script(command, process.execPath, path);
    const hook = fileURLToPath(new URL('received.mjs', import.meta.url));
    for (const [name, path] of Object.entries(servers)) {
      const options = name === 'everything' ? ['--import', hook] : [];
      const variables = [`RECEIVED=${this.#received}`, `MEMORY_FILE_PATH=${this.#memory}`];
      script(`mcp-server-${name}`, 'env', ...variables, process.execPath, ...options, path);
    }
    // A browser that follows the redirects of a login.
    script('browser', process.execPath, '-e', 'fetch(process.argv[1])');
    this.env = {
      ...variables,
      HOME: join(this.#base, 'home'),
      PATH: [bin, dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter),
      BROWSER: join(bin, 'browser'),
      SHELL: '/bin/sh',
      TERM: 'xterm-256color',
      MCP_INSPECTOR_SECRET_STORE: 'file',
    };
    this.renew();
  }

  /** Writes the files as they were, in a project that has nothing else. */
  renew(): void {
    rmSync(this.project, { recursive: true, force: true });
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(this.#base, path)), { recursive: true });
      const text = typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`;
      writeFileSync(join(this.#base, path), text);
    }
    spawnSync('git', ['init', '--quiet'], { cwd: this.project });
    writeFileSync(this.#received, '');
    rmSync(this.#memory, { force: true });
  }

  /** The messages that the server `everything` has received. */
  received(): string {
    return readFileSync(this.#received, 'utf8');
  }

  [Symbol.dispose](): void {
    rmSync(this.#base, { recursive: true, force: true });
  }
}

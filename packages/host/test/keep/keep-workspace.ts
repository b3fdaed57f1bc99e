import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { program, Workspace } from '../workspace.ts';

/**
 * A server of revision 2025-11-25. Its tools: `where` answers with the process, its directory, umask and
 * language; `ask` asks the user, and `roots` the client; `slow` reports its progress and goes on when it is
 * cancelled; `noise` writes on stderr and ends; `imitate` writes lines like those of `mcp keep`. It holds the
 * file `FIFO` open as long as it lives. With `STATELESS` it speaks revision 2026-07-28, and `where` also
 * answers the calls of `slow`, with progress.
 */
const source = `
const { FIFO, LANG, STATELESS } = process.env;
if (FIFO) require('node:fs').openSync(FIFO, 'w');
const send = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
const waiting = new Map();
const slow = [];
const progress = (progressToken, message) =>
  send({ method: 'notifications/progress', params: { progressToken, progress: 1, message } });
const ask = (method, params) =>
  new Promise((resolve) => {
    const id = 'question ' + (waiting.size + 1);
    waiting.set(id, resolve);
    send({ id, method, params });
  });
const requestedSchema = { type: 'object', properties: { colour: { type: 'string' } } };
const tools = {
  where: () => {
    for (const { id, token } of slow) {
      progress(token, 'too late');
      send({ id, result: { content: [{ type: 'text', text: 'too late' }] } });
    }
    return { pid: process.pid, cwd: process.cwd(), umask: process.umask(), LANG };
  },
  ask: () => ask('elicitation/create', { message: 'Which colour?', requestedSchema }),
  roots: () => ask('roots/list'),
  slow: (token, id) => {
    progress(token, 'half');
    slow.push({ id, token });
    require('node:fs').writeFileSync(__filename + '.slow', '');
    return new Promise(() => {});
  },
  noise: () => (console.error('It is broken'), process.exit(1)),
  imitate: () => {
    for (const end of ['', '{"stderr":1}}', '{"malformed":"x","code":1}}']) console.log('{"keep":' + end);
  },
};
const results = {
  ...(STATELESS && {
    'server/discover': () => ({ supportedVersions: ['2026-07-28'], capabilities: { tools: {} } }),
  }),
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'old', version: '1' },
    instructions: 'Started by ' + process.pid,
  }),
  'tools/list': () => ({ tools: Object.keys(tools).map((name) => ({ name, inputSchema: { type: 'object' } })) }),
  'tools/call': async ({ name, _meta }, id) => ({
    content: [{ type: 'text', text: JSON.stringify(await tools[name](_meta?.progressToken, id)) }],
  }),
};
require('node:readline').createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, params, result } = JSON.parse(line);
  if (method === undefined) return waiting.get(id)?.(result);
  if (id === undefined) return;
  if (!results[method]) return send({ id, error: { code: -32601, message: 'Unknown method' } });
  send({ id, result: await results[method](params, id) });
});
`;

/** What the tool `where` answers. */
export interface Where {
  readonly pid: number;
  readonly cwd: string;
  readonly umask: number;
  readonly LANG?: string;
}

/** A configuration with the fixture, `fix`, and the servers `old`, of an older revision, and `stateless`. */
export class KeepWorkspace extends Workspace {
  readonly script = this.directory.put('old.cjs', source);
  readonly fifo = join(this.directory.base, 'fifo');
  readonly #keepers: ChildProcess[] = [];

  constructor() {
    super({ missing: { command: '/missing' } });
    this.configure();
  }

  /** Writes the configuration; `args` are further arguments of `old`. */
  configure(...args: readonly string[]): void {
    const { mcpServers } = JSON.parse(this.directory.read('mcp.json')) as { mcpServers: object };
    const old = { command: process.execPath, args: [this.script, ...args] };
    const stateless = { ...old, env: { STATELESS: '1' } };
    this.directory.put('mcp.json', JSON.stringify({ mcpServers: { ...mcpServers, old, stateless } }));
  }

  /** Whether a call of `slow` has reached its server. */
  get isSlow(): boolean {
    return existsSync(`${this.script}.slow`);
  }

  /** Lets `old` hold a file open; `ended` is the end of all its processes. */
  holdFifo(): { readonly ended: Promise<unknown> } {
    execFileSync('mkfifo', [this.fifo]);
    const file = JSON.parse(this.directory.read('mcp.json')) as { mcpServers: { old: object } };
    Object.assign(file.mcpServers.old, { env: { FIFO: this.fifo } });
    this.directory.put('mcp.json', JSON.stringify(file));
    return { ended: once(createReadStream(this.fifo).resume(), 'end') };
  }

  /** Starts `mcp keep` in the foreground, and waits until it accepts commands. */
  async keep(...args: readonly string[]): Promise<ChildProcess> {
    const child = spawn(process.execPath, [program, 'keep', '--foreground', ...args], {
      env: { ...this.env, LANG: 'of-keep' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#keepers.push(child);
    await once(child.stdout, 'data');
    return child;
  }

  /** The answer of the tool `where`, with changed variables or another directory. */
  async where(env: Readonly<Record<string, string>> = {}, cwd?: string): Promise<Where> {
    const { stdout, stderr } = await this.mcp(['call', 'old.where'], {
      env: { ...this.env, ...env },
      ...(cwd !== undefined && { cwd }),
    });
    if (stdout === '') throw new Error(stderr);
    return JSON.parse(stdout) as Where;
  }

  override [Symbol.dispose](): void {
    for (const keeper of this.#keepers) keeper.kill('SIGKILL');
    super[Symbol.dispose]();
  }
}

import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Client, type ClientOptions, serverAt } from '@mcp/protocol/client';
import { serverCommand } from '@mcp/protocol/stdio';
import { compileCache, TemporaryDirectory } from '@mcp/test-kit';
import { bundledProgram } from '@mcp/test-kit/bundled-program';

export const program = fileURLToPath(new URL('../../dist/main.cjs', import.meta.url));
const probe = bundledProgram(fileURLToPath(new URL('probe-server.ts', import.meta.url)));

/** An entry of `mcpServers` that starts a probe server. */
export function probeServer(name: string, ...args: string[]) {
  return { command: process.execPath, args: [probe, ...args], env: { NAME: name } };
}

/** `mcp serve` in front of servers, and the clients that a test connects to it. */
export class GatewayProgram implements AsyncDisposable {
  readonly directory = new TemporaryDirectory('gateway');
  /** The lines of the gateway on stderr. */
  readonly lines: string[] = [];
  readonly #args: readonly string[];
  readonly #env: Record<string, string>;
  readonly #clients: Client[] = [];
  #http: Promise<{ url: string; child: ChildProcess }> | undefined;

  constructor(mcpServers: object, ...args: string[]) {
    const file = this.configure(mcpServers);
    this.#args = [program, '--config', file, 'serve', ...args];
    this.#env = {
      ...compileCache,
      PATH: process.env['PATH'] ?? '',
      HOME: join(this.directory.base, 'home'),
      XDG_STATE_HOME: join(this.directory.base, 'state'),
      XDG_CACHE_HOME: join(this.directory.base, 'cache'),
    };
  }

  /** Adds variables to the environment of the gateways that are started later. */
  addEnvironment(variables: { readonly [name: string]: string }): void {
    Object.assign(this.#env, variables);
  }

  /** Replaces the configuration that the gateway follows. Returns its path. */
  configure(mcpServers: object): string {
    return this.directory.put('mcp_config.json', JSON.stringify({ mcpServers }));
  }

  /** A client over stdio, with a gateway of its own. */
  stdio(options: ClientOptions = {}): Promise<Client> {
    const stderr = (line: string) => this.lines.push(line);
    const command = { command: process.execPath, args: this.#args, env: this.#env, stderr };
    return this.#connected(Client.connect(serverCommand(command), options));
  }

  /** A gateway over stdio without a client. */
  spawn(): ChildProcessWithoutNullStreams {
    return spawn(process.execPath, this.#args, { env: this.#env });
  }

  /** The address and the process of the one gateway over HTTP. */
  listening(): Promise<{ url: string; child: ChildProcess }> {
    return (this.#http ??= this.#listen());
  }

  /** A client over HTTP, of the one gateway. */
  async http(options: ClientOptions = {}): Promise<Client> {
    const { url } = await this.listening();
    return this.#connected(Client.connect(serverAt(url), options));
  }

  /** Sends SIGTERM to the gateway over HTTP; returns its exit code. */
  async terminate(): Promise<number | null> {
    const { child } = await this.listening();
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    const [code] = (await exited) as [number | null];
    return code;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.close()));
    const http = await this.#http;
    if (http) await end(http.child);
    this.directory[Symbol.dispose]();
  }

  async #connected(connecting: Promise<Client>): Promise<Client> {
    const client = await connecting;
    this.#clients.push(client);
    return client;
  }

  async #listen(): Promise<{ url: string; child: ChildProcess }> {
    const child = spawn(process.execPath, [...this.#args, '--http', '0'], {
      env: this.#env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const url = await new Promise<string>((resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`exit ${code}: ${this.lines.join('\n')}`)));
      createInterface(child.stderr).on('line', (line) => {
        this.lines.push(line);
        const [, address] = /^(?:Listening on |.*"Listening","url":")([^"]+)/.exec(line) ?? [];
        if (address !== undefined) resolve(address);
      });
    });
    return { url, child };
  }
}

/** The text of the first block of a result. */
export function textOf({ content }: { readonly content: readonly object[] }): string {
  const [block] = content;
  return block && 'text' in block ? String(block.text) : '';
}

/** Ends a program; resolves when it writes no more into its directory, such as its compiled code. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill();
  await exited;
}

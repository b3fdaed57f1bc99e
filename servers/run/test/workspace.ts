import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Client, type ClientOptions, connect } from '@mcp/protocol/testing';
import { allow, readConfiguration, unallowed } from '@mcp/run-commands';
import { run, type RunServerOptions } from '../src/server.ts';

export type Commands = { readonly [name: string]: { readonly [key: string]: unknown } };

/** A project that the agent may write, and beside it the configuration of the operator. */
export class Workspace implements Disposable {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), 'run-')));
  readonly project = join(this.base, 'project');
  readonly file = join(this.base, 'operator/commands.json');

  constructor(commands: Commands = {}, others: { readonly [key: string]: unknown } = {}) {
    mkdirSync(this.project);
    this.configure(commands, others);
  }

  /** Writes the configuration: without a sandbox, unless it has one. */
  configure(commands: Commands, others: { readonly [key: string]: unknown } = {}): void {
    this.write(
      this.file,
      JSON.stringify({ writable: ['../project'], cwd: '../project', sandbox: 'off', commands, ...others }),
    );
  }

  /** Writes a file of the project, and returns its path. */
  put(path: string, text: string, mode = 0o644): string {
    return this.write(join(this.project, path), text, mode);
  }

  write(file: string, text: string, mode = 0o644): string {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { mode });
    return file;
  }

  read(path: string): string {
    return readFileSync(join(this.project, path), 'utf8');
  }

  /** Connects a client to a new server of the configuration. */
  connect(options: Partial<RunServerOptions> = {}, client: ClientOptions = {}): Promise<Client> {
    return connect(run({ file: this.file, allowCommand: 'mcp-server-run allow', ...options }), client);
  }

  /** Allows all scripts and files as they are now, as the operator would. */
  async allow(): Promise<void> {
    const configuration = readConfiguration(this.file);
    for (const command of configuration.commands.values())
      await allow(await unallowed(command, configuration), configuration);
  }

  /**
   * Makes a FIFO in the project; `gone` resolves when every process that holds it open for writing has ended.
   */
  fifo(name: string): {
    readonly path: string;
    readonly gone: Promise<unknown>;
    readonly opened: Promise<unknown>;
  } {
    const path = join(this.project, name);
    execFileSync('mkfifo', [path]);
    const reader = spawn('cat', [path], { stdio: ['ignore', 'pipe', 'ignore'] });
    return { path, opened: once(reader.stdout, 'data'), gone: once(reader, 'exit') };
  }

  [Symbol.dispose](): void {
    rmSync(this.base, { recursive: true, force: true });
  }
}

export interface ToolAnswer {
  readonly text: string;
  readonly isError: boolean;
}

/** Calls a tool and returns the text of its answer. */
export async function callTool(
  client: Client,
  tool: string,
  args: Record<string, unknown> = {},
  options: Parameters<Client['callTool']>[2] = {},
): Promise<ToolAnswer> {
  const { content, isError = false } = await client.callTool(tool, args, options);
  return {
    text: content.map((block) => (block.type === 'text' ? block.text : block.type)).join('\n'),
    isError,
  };
}

/** The lines of an answer without its status and without the numbers of lines. */
export function linesOf({ text }: ToolAnswer): string[] {
  return text
    .split('\n')
    .slice(1)
    .map((line) => line.replace(/^\d+\t/, ''));
}

/** A command that runs a shell script of the test, with the arguments of the caller as `$1`, `$2` … */
export function sh(script: string, more: { readonly [key: string]: unknown } = {}) {
  const {
    arguments: args = {},
    argv = [],
    ...others
  } = more as { arguments?: object; argv?: readonly unknown[] };
  return {
    description: 'A script of the test.',
    argv: ['/bin/sh', '-c', script.replaceAll('{', '{{').replaceAll('}', '}}'), 'sh', ...argv],
    arguments: args,
    ...others,
  };
}

/** The configuration that the README shows, for the project of a workspace. */
export function exampleIn({ project }: Workspace): string {
  const example = readFileSync(new URL('commands.jsonc', import.meta.url), 'utf8');
  return example.replaceAll('/home/ada/shop', project);
}

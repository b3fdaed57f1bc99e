import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { styleText } from 'node:util';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const mcp = join(repository, 'packages/host/dist/main.cjs');

/** The longest output of a command that is shown whole, in lines. */
const maxLines = 40;

/** Where the tour writes; deleted at its end. */
export const scratch = mkdtempSync(join(realpathSync(tmpdir()), 'mcp-tour-'));

/** The programs that have not ended; none outlives the tour. */
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill();
  rmSync(scratch, { recursive: true, force: true });
});

let isStopping = false;
for (const [signal, code] of Object.entries({ SIGHUP: 129, SIGINT: 130, SIGTERM: 143 }))
  process.once(signal, () => void stop(code));

/** Ends the tour when its programs have ended, so that none writes into `scratch` after that. */
async function stop(code: number): Promise<void> {
  isStopping = true;
  await Promise.all([...running].map((child) => end(child, 'SIGTERM')));
  process.exit(code);
}

/**
 * Called with the signal that has ended a program, before its end counts as a failure. Never resolves once
 * the tour is stopping. Ctrl-C ends a program that is just being started.
 */
async function unlessStopping(signal: NodeJS.Signals | null): Promise<void> {
  if (signal === 'SIGINT') void stop(130);
  if (isStopping) await new Promise(() => {});
}

/** The entry of a server in a configuration. */
export interface NodeServer {
  readonly command: string;
  readonly args: readonly string[];
}

/** An entry that starts a program of the repository with Node. */
export function nodeServer(path: string, ...args: readonly string[]): NodeServer {
  return { command: process.execPath, args: [join(repository, path), ...args] };
}

type Exit = [status: number | null, signal: NodeJS.Signals | null];

export interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number | null;
}

/** The command `mcp`: with the user's own configurations, or with servers of the tour. */
export class Mcp {
  readonly #options: readonly string[];
  readonly #cwd: string;
  readonly #env: NodeJS.ProcessEnv;

  /** With `mcpServers`, nothing of the user is read or written: no policy, no token, no pins, no caches. */
  constructor(name?: string, mcpServers?: object) {
    const file = join(scratch, `${name}.json`);
    this.#options = mcpServers ? ['--config', file] : [];
    this.#cwd = mcpServers ? scratch : (process.env['INIT_CWD'] ?? process.cwd());
    this.#env = mcpServers ? ownEnvironment() : process.env;
    if (mcpServers) writeFileSync(file, JSON.stringify({ mcpServers }));
  }

  start(...args: readonly string[]) {
    const child = spawn(process.execPath, [mcp, ...this.#options, ...args], {
      cwd: this.#cwd,
      env: this.#env,
      stdio: ['pipe', 'pipe', 'pipe'],
      // Ctrl-C reaches the tour alone, which then ends its programs.
      detached: process.platform !== 'win32',
    });
    running.add(child);
    void once(child, 'exit').then(() => running.delete(child));
    return child;
  }

  /** Runs a command to its end. The option that names the file of the tour is not in its output. */
  async run(args: readonly string[], input = ''): Promise<Ended> {
    const child = this.start(...args);
    child.stdin.end(input);
    const exited = once(child, 'exit') as Promise<Exit>;
    const [stdout, stderr, [status, signal]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      exited,
    ]);
    const option = `${this.#options.join(' ')} `;
    await unlessStopping(signal);
    const shown = (output: string) => (option === ' ' ? output : output.replaceAll(option, ''));
    return { stdout: shown(stdout), stderr: shown(stderr), status };
  }

  /** Runs a command, and prints it with its output. Ends the tour if its exit code is another one. */
  async show(args: readonly string[], status = 0): Promise<void> {
    command(commandLine(args));
    const ended = await this.run(args);
    say(ended.stdout + ended.stderr);
    assertStatus(args, ended, status);
  }

  /** Starts a gateway over HTTP, and prints the command. */
  async serve(): Promise<{ readonly child: ChildProcess; readonly url: string }> {
    command(`${commandLine(['serve', '--http', '0'])} &`);
    const child = this.start('serve', '--http', '0');
    const url = await lineOf(child, 'stderr', /^Listening on (.+)$/);
    say(`Listening on ${url}`);
    return { child, url };
  }
}

/** The environment with home and temporary directory in `scratch`, and without the variables of `mcp`. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(([name]) => !/^(?:MCP|XDG)_/.test(name));
  const directories = ['HOME', 'USERPROFILE', 'LOCALAPPDATA', 'APPDATA', 'TMPDIR', 'TEMP', 'TMP'];
  return Object.fromEntries([...others, ...directories.map((name) => [name, scratch] as const)]);
}

export function assertStatus(args: readonly string[], { stdout, stderr, status }: Ended, expected = 0): void {
  if (status !== expected)
    fail(`${stdout}${stderr}${commandLine(args)} ended with exit code ${status}; expected ${expected}`);
}

/** The match of a pattern, or of its group, in the first line that has one. Ends the tour if no line has. */
export async function lineOf(
  child: ChildProcessByStdio<Writable, Readable, Readable>,
  stream: 'stdout' | 'stderr',
  pattern: RegExp,
): Promise<string> {
  const exited = once(child, 'exit') as Promise<Exit>;
  const lines: string[] = [];
  for await (const line of createInterface({ input: child[stream] })) {
    const found = pattern.exec(line);
    if (found) return found[1] ?? found[0];
    lines.push(line);
  }
  const [, signal] = await exited;
  await unlessStopping(signal);
  return fail(lines.join('\n'));
}

export async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}

export function title(words: string): void {
  console.log(`\n${styled(['bold', 'cyan'], `— ${words}`)}\n`);
}

export function command(line: string): void {
  console.log(`  ${styled('green', '$')} ${styled('bold', line)}`);
}

export function commandLine(args: readonly string[]): string {
  return ['mcp', ...args.map((word) => (/^[\w.:/@=-]+$/.test(word) ? word : `'${word}'`))].join(' ');
}

/** Prints the output of a command; the lines of a difference are red and green. */
export function say(output: string): void {
  const lines = output.trimEnd().split('\n');
  const more = lines.length - maxLines;
  const shown = more > 0 ? [...lines.slice(0, maxLines), `… ${more} more lines`] : lines;
  for (const line of shown) console.log(`  ${coloured(line)}`);
}

function coloured(line: string): string {
  if (line.startsWith('  - ')) return styled('red', line);
  return line.startsWith('  + ') ? styled('green', line) : line;
}

/** Text in a style, if stdout is a terminal that shows colours. */
export function styled(style: Parameters<typeof styleText>[0], words: string): string {
  return styleText(style, words, { stream: process.stdout });
}

export function milliseconds(ms: number): string {
  return `${Math.round(ms)} ms`;
}

export function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

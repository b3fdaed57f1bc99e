import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  compileCache,
  type ProgramInput,
  type ProgramOutput,
  runProgram,
  TemporaryDirectory,
} from '@mcp/test-kit';
import { bundledProgram } from '@mcp/test-kit/bundled-program';

/** The command `mcp`, as it is published. */
export const program = fileURLToPath(new URL('../dist/main.cjs', import.meta.url));

/** A server with one of everything. */
export const fixture = bundledProgram(fileURLToPath(new URL('fixture/server.ts', import.meta.url)));

/** A directory with a configuration, whose server `fix` is the fixture, and a home directory of its own. */
export class Workspace implements Disposable {
  readonly directory = new TemporaryDirectory('host');
  /** The file that the resources of the fixture watch. */
  readonly watched = this.directory.put('watched.txt', 'start\n');
  readonly home = join(this.directory.base, 'home');
  readonly env = {
    ...compileCache,
    PATH: process.env['PATH'] ?? '',
    HOME: this.home,
    XDG_STATE_HOME: join(this.directory.base, 'state'),
    XDG_CACHE_HOME: join(this.directory.base, 'cache'),
  };
  readonly configuration: string;

  /** `servers` are further entries of `mcpServers`. */
  constructor(servers: Readonly<Record<string, object>> = {}) {
    const fix = {
      command: process.execPath,
      args: [fixture, this.watched, join(this.directory.base, 'tasks')],
    };
    this.configuration = this.directory.put('mcp.json', JSON.stringify({ mcpServers: { fix, ...servers } }));
  }

  /** Runs `mcp` with the configuration. */
  mcp(args: readonly string[], input: ProgramInput = {}): Promise<ProgramOutput> {
    return runProgram(program, ['--config', this.configuration, ...args], { env: this.env, ...input });
  }

  /** A command line for a shell that runs `mcp` with the configuration. */
  commandLine(...args: readonly string[]): string {
    return [process.execPath, program, '--config', this.configuration, ...args].map(quoted).join(' ');
  }

  [Symbol.dispose](): void {
    this.directory[Symbol.dispose]();
  }
}

/** A word as a POSIX shell reads it unchanged. */
export function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

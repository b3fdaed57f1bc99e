import type { StreamOptions } from '../stream-channel.ts';
import type { Environment } from './environment.ts';

/** How to start a server as a child process. */
export interface ServerCommand extends StreamOptions {
  /** The name of a program on the PATH, or its path. */
  readonly command: string;
  /** The arguments of the command, each passed on as it is, without a shell. Default: none. */
  readonly args?: readonly string[];
  /** Environment variables for the server, in addition to the few that every server inherits. */
  readonly env?: Environment;
  /** Names of further variables that the server inherits from this process; `all` for every variable. */
  readonly inheritEnv?: readonly string[] | 'all';
  /** The working directory of the server; defaults to that of this process. */
  readonly cwd?: string;
  /**
   * Where the server's stderr goes: to that of this process (default), nowhere, to `child.stderr`, or line by
   * line to a function. The error of a server that has ended contains its last lines.
   */
  readonly stderr?: 'inherit' | 'ignore' | 'pipe' | ((line: string) => void);
  /** Milliseconds that each step of stopping may take: the end of stdin, then SIGTERM. Default: 5,000. */
  readonly stopGraceMs?: number;
}

/** The command line for errors, cut at 200 characters. Values that look like secrets are replaced by `…`. */
export function commandLine({ command, args = [] }: ServerCommand): string {
  const shown = args.map((arg, index) => {
    if (/^--?[\w-]*(?:key|token|secret|password)[\w-]*=/i.test(arg)) return arg.replace(/=.*/s, '=…');
    return /^--?[\w-]*(?:key|token|secret|password)[\w-]*$/i.test(args[index - 1] ?? '') ? '…' : arg;
  });
  const line = [command, ...shown].join(' ').replaceAll(/\s+/g, ' ');
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}

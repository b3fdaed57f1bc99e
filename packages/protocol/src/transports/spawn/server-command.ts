import type { StreamOptions } from '../stream-channel.ts';
import type { Environment } from './environment.ts';

/** How to start a server as a child process. */
export interface ServerCommand extends StreamOptions {
  /** A name on the PATH, or a path. */
  readonly command: string;
  /** Its arguments, each passed on as it is, without a shell. */
  readonly args?: readonly string[];
  /** Variables of the server's own, besides the few that every server gets. */
  readonly env?: Environment;
  /** Names of more variables that the server gets of this process's environment, or all of them. */
  readonly inheritEnv?: readonly string[] | 'all';
  /** The working directory of the server; defaults to that of this process. */
  readonly cwd?: string;
  /**
   * Where the server's stderr goes: to this process's own (the default), nowhere, to `child.stderr`,
   * or line by line to a function. Its last lines are part of the error of a server that ends.
   */
  readonly stderr?: 'inherit' | 'ignore' | 'pipe' | ((line: string) => void);
  /** Milliseconds that each step of stopping may take; defaults to 5,000. */
  readonly stopGraceMs?: number;
}

/** The command line as errors name it. Values that look like secrets are left out. */
export function commandLine({ command, args = [] }: ServerCommand): string {
  const shown = args.map((arg, index) => {
    if (/^--?[\w-]*(?:key|token|secret|password)[\w-]*=/i.test(arg)) return arg.replace(/=.*/s, '=…');
    return /^--?[\w-]*(?:key|token|secret|password)[\w-]*$/i.test(args[index - 1] ?? '') ? '…' : arg;
  });
  const line = [command, ...shown].join(' ').replaceAll(/\s+/g, ' ');
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}

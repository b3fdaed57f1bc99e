/** How to start a program: for `child_process.spawn`. */
export interface Spawnable {
  readonly command: string;
  readonly args: readonly string[];
  /** The arguments are quoted already. */
  readonly verbatim: boolean;
}

const metaCharacters = /[()\][%!^"`<>&|;, *?]/g;

/**
 * The command as Windows can start it. Only programs with `.exe` or `.com` start by themselves; scripts such
 * as `npx` (which is `npx.cmd`) need `cmd.exe`, which expands its arguments unless each character is escaped.
 */
export function windowsCommand(command: string, args: readonly string[], comspec = 'cmd.exe'): Spawnable {
  if (/\.(?:exe|com)$/i.test(command)) return { command, args, verbatim: false };
  const unquotable = [command, ...args].find((text) => /[\r\n\0]/.test(text));
  if (unquotable !== undefined) {
    throw new Error(`Invalid argument ${JSON.stringify(unquotable)}: cmd.exe takes no line breaks`);
  }
  // A script that npm has installed starts another program, which reads the arguments once more.
  const twice = /node_modules[\\/]\.bin[\\/][^\\/]+\.cmd$/i.test(command);
  const line = [escape(command), ...args.map((arg) => quote(arg, twice))].join(' ');
  return { command: comspec, args: ['/d', '/s', '/c', `"${line}"`], verbatim: true };
}

/** One argument as a program of Windows reads it back, escaped for `cmd.exe`. */
function quote(arg: string, twice: boolean): string {
  const quoted = `"${arg.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\*)$/, '$1$1')}"`;
  return twice ? escape(escape(quoted)) : escape(quoted);
}

function escape(text: string): string {
  return text.replace(metaCharacters, '^$&');
}

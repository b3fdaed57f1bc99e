/** The arguments of `child_process.spawn` that start a program. */
export interface Spawnable {
  readonly command: string;
  readonly args: readonly string[];
  /** Whether the arguments are quoted already, so that Node must not quote them. */
  readonly verbatim: boolean;
}

const metaCharacters = /[()\][%!^"`<>&|;, *?]/g;

/**
 * The command in a form that Windows can start. Only programs with `.exe` or `.com` start directly; scripts
 * such as `npx.cmd` need `cmd.exe`, which expands arguments unless each special character is escaped.
 */
export function windowsCommand(command: string, args: readonly string[], comspec = 'cmd.exe'): Spawnable {
  if (/\.(?:exe|com)$/i.test(command)) return { command, args, verbatim: false };
  const unquotable = [command, ...args].find((text) => /[\r\n\0]/.test(text));
  if (unquotable !== undefined) {
    throw new Error(`Invalid argument ${JSON.stringify(unquotable)}: cmd.exe takes no line breaks`);
  }
  // A script that npm installed passes its arguments through `cmd.exe` once more, so they are escaped twice.
  const twice = /node_modules[\\/]\.bin[\\/][^\\/]+\.cmd$/i.test(command);
  const line = [escape(command), ...args.map((arg) => quote(arg, twice))].join(' ');
  return { command: comspec, args: ['/d', '/s', '/c', `"${line}"`], verbatim: true };
}

/** Quotes one argument for a program of Windows, and escapes it for `cmd.exe`. */
function quote(arg: string, twice: boolean): string {
  const quoted = `"${arg.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\*)$/, '$1$1')}"`;
  return twice ? escape(escape(quoted)) : escape(quoted);
}

function escape(text: string): string {
  return text.replace(metaCharacters, '^$&');
}

/** The environment variables that a server gets by default: no credentials, but enough to start programs. */
const posixNames = [
  'HOME',
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
  'LOGNAME',
  'PATH',
  'SHELL',
  'TERM',
  'TMPDIR',
  'TZ',
  'USER',
];
const windowsNames = [
  'APPDATA',
  'COMSPEC',
  'HOMEDRIVE',
  'HOMEPATH',
  'LOCALAPPDATA',
  'PATH',
  'PATHEXT',
  'PROCESSOR_ARCHITECTURE',
  'PROGRAMDATA',
  'PROGRAMFILES',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'TEMP',
  'TMP',
  'USERNAME',
  'USERPROFILE',
  'WINDIR',
];

/** Environment variables by their names. */
export type Environment = { readonly [name: string]: string | undefined };

/** A server's environment: the variables inherited by default, those that `inherited` names, and `own`. */
export function serverEnvironment(
  own: Environment = {},
  inherited: readonly string[] | 'all' = [],
  { platform, env }: Pick<NodeJS.Process, 'platform' | 'env'> = process,
): Environment {
  if (inherited === 'all') return { ...env, ...own };
  const wanted = platform === 'win32' ? windowsKeys(env, inherited) : [...posixNames, ...inherited];
  // A value that begins with `()` is left out: it is a shell function, which a shell of the server would run.
  const given = wanted.filter((name) => Object.hasOwn(env, name) && !env[name]?.startsWith('()'));
  return { ...Object.fromEntries(given.map((name) => [name, env[name]])), ...own };
}

/** The wanted names as this process's environment spells them, because Windows ignores the case of names. */
function windowsKeys(env: Environment, inherited: readonly string[]): string[] {
  const names = new Set([...windowsNames, ...inherited]);
  return Object.keys(env).filter((name) => names.has(name.toUpperCase()));
}

/** The variables that a server inherits: no credentials, but enough to start programs. */
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

export type Environment = { readonly [name: string]: string | undefined };

/** The variables above, those of this process that `inherited` names, and those in `own`. */
export function serverEnvironment(
  own: Environment = {},
  inherited: readonly string[] | 'all' = [],
  { platform, env }: Pick<NodeJS.Process, 'platform' | 'env'> = process,
): Environment {
  if (inherited === 'all') return { ...env, ...own };
  const wanted = platform === 'win32' ? windowsKeys(env, inherited) : [...posixNames, ...inherited];
  // An exported shell function is code, which a shell that the server starts would run.
  const given = wanted.filter((name) => Object.hasOwn(env, name) && !env[name]?.startsWith('()'));
  return { ...Object.fromEntries(given.map((name) => [name, env[name]])), ...own };
}

/** The wanted names in the spelling of this process's environment, because Windows ignores their case. */
function windowsKeys(env: Environment, inherited: readonly string[]): string[] {
  const names = new Set([...windowsNames, ...inherited]);
  return Object.keys(env).filter((name) => names.has(name.toUpperCase()));
}

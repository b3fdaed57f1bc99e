/** What a server gets of this process's environment: no credentials, and enough to start programs. */
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

/** The environment of a server: the short list, `inherited` names of this process's, and `own` variables of its own. */
export function serverEnvironment(
  own: Environment = {},
  inherited: readonly string[] | 'all' = [],
  { platform, env }: Pick<NodeJS.Process, 'platform' | 'env'> = process,
): Environment {
  if (inherited === 'all') return { ...env, ...own };
  const names = new Set([...(platform === 'win32' ? windowsNames : posixNames), ...inherited]);
  // Windows compares names without their case.
  const wanted = (name: string) => names.has(platform === 'win32' ? name.toUpperCase() : name);
  // An exported shell function is code, which a shell that the server starts would run.
  const given = Object.entries(env).filter(([name, value]) => wanted(name) && !value?.startsWith('()'));
  return { ...Object.fromEntries(given), ...own };
}

import { sep } from 'node:path';
import { listSettings } from './git-config.ts';
import type { GitContext } from './git-context.ts';
import { inspect } from './inspect.ts';

/** Throws unless the operator has configured a key; a key that a repository names is not used. */
export async function assertSigningKey(context: GitContext): Promise<void> {
  const { stdout } = await inspect(context, listSettings.args, context.allowed.directories[0] ?? sep);
  const isOwn = ({ scope }: { readonly scope: string }) => scope === 'global' || scope === 'system';
  const keys = listSettings
    .parse(stdout)
    .filter((setting) => isOwn(setting) && setting.key === 'user.signingkey');
  if (keys.length === 0)
    throw new Error(
      'No key to sign with: set one by git config --global user.signingKey, and for an SSH key also gpg.format to ssh',
    );
}

import { argv } from '../../argv.ts';
import type { Command } from '../../command.ts';
import { quoted } from '../../safe-text.ts';
import { missing } from '../../missing.ts';

export type RemoteChange =
  | { readonly action: 'add' | 'set-url'; readonly name: string; readonly url: string }
  | { readonly action: 'rename'; readonly name: string; readonly to: string }
  | { readonly action: 'remove'; readonly name: string };

/** Changes the configuration of a remote, and renames or removes its remote branches. */
export function changeRemote(change: RemoteChange): Command<void> {
  const { action, name } = change;
  const renames = action === 'rename';
  const value = renames ? change.to : action === 'remove' ? undefined : change.url;
  return {
    kind: 'write',
    args: argv`remote ${action} ${renames && '--no-progress'} ${name} ${value}`,
    refusals: [
      [/remote (.*) already exists/, `The remote already exists: ${quoted(renames ? change.to : name)}`],
      [/No such remote/i, missing('remote', name)],
    ],
  };
}

import { textOf } from '../display-name.ts';

/** One value of git's configuration, and whose it is. */
export interface Setting {
  readonly scope: string;
  readonly key: string;
  readonly value: string;
}

/** How to list a repository's configuration with that of the operator, and what is in the list. */
export const listSettings = {
  args: ['config', '--list', '-z', '--show-scope', '--includes'],
  parse: parseSettings,
};

function parseSettings(output: Buffer): Setting[] {
  const all = textOf(output).split('\0');
  const settings: Setting[] = [];
  for (let at = 0; at + 1 < all.length; at += 2) {
    const text = all[at + 1]!;
    const end = text.indexOf('\n');
    // A key without a value is one that is true.
    const [key, value] = end === -1 ? [text, 'true'] : [text.slice(0, end), text.slice(end + 1)];
    settings.push({ scope: all[at]!, key, value });
  }
  return settings;
}

/** How to ask which objects the `.gitmodules` of the index and of HEAD are, where there are any. */
export const submoduleBlobs = {
  args: ['cat-file', '--batch-check=%(objectname)'],
  input: ':.gitmodules\nHEAD:.gitmodules\n',
  parse: (output: Buffer) => [...new Set(output.toString('latin1').match(/^[0-9a-f]{40,64}$/gm))],
};

/** How to list a `.gitmodules`, by its path or by its object. */
export function listSubmodules(place: '--file' | '--blob', name: string): string[] {
  return ['config', '--list', '-z', place, name];
}

/** The names of submodules in such a list. */
export function parseSubmodules(output: Buffer): string[] {
  const names = textOf(output)
    .split('\0')
    .map((entry) => /^submodule\.([^\n]*)\.[^.\n]*(?:\n|$)/.exec(entry)?.[1]);
  return [...new Set(names)].filter((name) => name !== undefined);
}

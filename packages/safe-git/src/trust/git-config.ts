import { textOf } from '../safe-text.ts';

/** One value of git's configuration. */
export interface Setting {
  /** Such as `local` or `global`. */
  readonly scope: string;
  /** Where git read it, such as `file:/home/ada/.gitconfig`. */
  readonly origin: string;
  readonly key: string;
  readonly value: string;
}

/** Lists the configuration of a repository and of the operator. */
export const listSettings = {
  args: ['config', '--list', '-z', '--show-scope', '--show-origin', '--includes'],
  parse: parseSettings,
};

/** Returns a key as git lists it: in lower case, but not between the first and last dot. */
export function canonicalKey(key: string): string {
  const [, section = '', subsection = '', name = ''] = /^([^.]*)(.*?)([^.]*)$/s.exec(key) ?? [];
  return section.toLowerCase() + subsection + name.toLowerCase();
}

function parseSettings(output: Buffer): Setting[] {
  const all = textOf(output).split('\0');
  const settings: Setting[] = [];
  for (let at = 0; at + 2 < all.length; at += 3) {
    const text = all[at + 2]!;
    const end = text.indexOf('\n');
    // In git, a key without a value means true.
    const [key, value] = end === -1 ? [text, 'true'] : [text.slice(0, end), text.slice(end + 1)];
    settings.push({ scope: all[at]!, origin: all[at + 1]!, key, value });
  }
  return settings;
}

/** Lists the hashes of `.gitmodules` in the index and in HEAD. */
export const submoduleBlobs = {
  args: ['cat-file', '--batch-check=%(objectname)'],
  input: ':.gitmodules\nHEAD:.gitmodules\n',
  parse: (output: Buffer) => [...new Set(output.toString('latin1').match(/^[0-9a-f]{40,64}$/gm))],
};

/** Returns the arguments that list a `.gitmodules` file, which is given by its path or by its blob's hash. */
export function listSubmodules(source: '--file' | '--blob', name: string): string[] {
  return ['config', '--list', '-z', source, name];
}

/** The names of the submodules in the output of `listSubmodules`. */
export function parseSubmodules(output: Buffer): string[] {
  const names = textOf(output)
    .split('\0')
    .map((entry) => /^submodule\.([^\n]*)\.[^.\n]*(?:\n|$)/.exec(entry)?.[1]);
  return [...new Set(names)].filter((name) => name !== undefined);
}

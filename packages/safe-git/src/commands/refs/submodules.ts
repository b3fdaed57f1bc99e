import { argv } from '../../argv.ts';
import type { Command } from '../../command.ts';
import { fields } from '../../parse/nul-records.ts';

/** A submodule as `.gitmodules` describes it. */
export interface SubmoduleEntry {
  readonly name: string;
  readonly path: string;
  readonly url: string | undefined;
}

/** The submodules of `.gitmodules` in the index; none without that file. */
export const submoduleEntries: Command<SubmoduleEntry[]> = {
  args: argv`config --list -z --blob :.gitmodules`,
  accept: [1, 128],
  parse: ({ code, stdout }) => (code === 0 ? parseEntries(fields(stdout)) : []),
};

function parseEntries(settings: readonly string[]): SubmoduleEntry[] {
  const found = new Map<string, { path?: string; url?: string }>();
  for (const setting of settings) {
    const [, name, key, value] = /^submodule\.([^\n]*)\.(path|url)\n([^]*)$/.exec(setting) ?? [];
    if (name !== undefined) found.set(name, { ...found.get(name), [key!]: value! });
  }
  return [...found].flatMap(([name, { path, url }]) => (path === undefined ? [] : [{ name, path, url }]));
}

/** The commits at which the index expects the submodules, by path. */
export const expectedCommits: Command<ReadonlyMap<string, string>> = {
  args: argv`ls-files --stage -z`,
  maxBytes: 256 * 1024 * 1024,
  parse: ({ stdout }) =>
    new Map(
      fields(stdout).flatMap((field): [string, string][] => {
        const [, hash, path] = /^160000 ([0-9a-f]+) 0\t([^]*)$/.exec(field) ?? [];
        return path === undefined ? [] : [[path, hash!]];
      }),
    ),
};

/** Sets the URL of a submodule in the configuration, as `git submodule init` does. */
export function registerSubmodule(name: string, url: string): Command<void> {
  return { kind: 'write', args: argv`config --local ${`submodule.${name}.url`} ${url}` };
}

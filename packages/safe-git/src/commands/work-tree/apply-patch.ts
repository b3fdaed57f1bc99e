import { argv } from '../../argv.ts';
import type { Command } from '../../command.ts';
import { textOf } from '../../safe-text.ts';

const maxPatchBytes = 64 * 1024 * 1024;

/** The differences between two trees as a patch that `applyPatch` takes; undefined above 64 MiB. */
export function patchBetween(from: string, to: string): Command<Buffer | undefined> {
  return {
    args: argv`diff-tree --patch --binary --full-index --no-renames --no-color --no-ext-diff --no-textconv
      --src-prefix=a/ --dst-prefix=b/ --ignore-submodules=none ${from} ${to}`,
    maxBytes: maxPatchBytes,
    parse: ({ stdout, truncated }) => (truncated ? undefined : stdout),
  };
}

/** The lines in which git names a file that conflicts, or to which the patch does not apply at all. */
const conflicting =
  /^(?:U (.*)|error: (.*): (?:patch does not apply|(?:does not exist in|does not match|already exists in) index))$/gm;

/**
 * Applies a patch to the index file `index` by a three-way merge of each file, with the content before the
 * patch as the base. If there are conflicts, returns the paths of the conflicting files as git prints them;
 * the index file must then not be used.
 */
export function applyPatch(index: string, patch: Buffer): Command<string[] | undefined> {
  return {
    kind: 'write',
    // Git would otherwise record the conflicts, and put recorded resolutions into files of the work tree.
    args: argv`-c rerere.enabled=false apply --cached --3way --whitespace=nowarn --no-ignore-whitespace`,
    index,
    input: patch,
    accept: [1],
    parse: ({ code, stdout, stderr }) => {
      if (code === 0) return undefined;
      const found = `${textOf(stdout)}\n${stderr}`.matchAll(conflicting);
      return [...new Set([...found].map(([, first, second]) => first ?? second ?? ''))];
    },
  };
}

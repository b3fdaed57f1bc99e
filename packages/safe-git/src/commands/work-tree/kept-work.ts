import { argv } from '../../argv.ts';
import type { Command } from '../../command.ts';
import { line, lines } from '../../parse/printed.ts';

const refs = 'refs/kept-work';
/** Matches a ref that keeps discarded work. Its name has the time in UTC and the first digits of the hash. */
const refPattern = /^refs\/kept-work\/(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z-[0-9a-f]{10}$/;

/** An object that a ref keeps: discarded work in the form of a stash, a dropped stash, or a deleted tag. */
export interface KeptWork {
  readonly ref: string;
  readonly hash: string;
  /** When the work was kept, in ms since 1970. */
  readonly time: number;
  readonly message: string;
}

export const listKeptWork: Command<KeptWork[]> = {
  args: argv`for-each-ref --format=%(refname)%09%(objectname)%09%(contents:subject) ${refs}/`,
  parse: (output) =>
    lines(output).flatMap((each) => {
      const [ref = '', hash = '', ...message] = each.split('\t');
      const [, ...parts] = refPattern.exec(ref) ?? [];
      if (parts.length === 0) return [];
      const [year, month, day, hour, minute, second] = parts.map(Number);
      const time = Date.UTC(year!, month! - 1, day, hour, minute, second);
      return [{ ref, hash, time, message: message.join('\t') }];
    }),
};

/** Adds a ref that keeps an object, and deletes the refs of `outdated`. Git does all of this or nothing. */
export function keepObjectAs(hash: string, time: number, outdated: readonly KeptWork[]): Command<void> {
  const stamp = new Date(time).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const name = `${refs}/${stamp}-${hash.slice(0, 10)}`;
  const deletions = outdated.filter(({ ref }) => ref !== name).map(({ ref }) => `delete ${ref}\n`);
  return {
    kind: 'write',
    args: argv`update-ref --stdin`,
    input: `update ${name} ${hash}\n${deletions.join('')}`,
  };
}

export function forgetKept(ref: string): Command<void> {
  return { kind: 'write', args: argv`update-ref -d ${ref}` };
}

/** Writes an index as a tree, and returns its hash. `index` is an index file, by default git's own. */
export function writeTree(index?: string): Command<string> {
  return { kind: 'write', args: argv`write-tree`, ...(index && { index }), parse: treeOf };
}

const treeOf = (output: Parameters<typeof line>[0]) => line(output)!;

/** Fills the index file `index` with the entries of a tree; without a tree, empties the file. */
export function readTree(index: string, tree: string | undefined): Command<void> {
  return { kind: 'write', args: argv`read-tree ${tree ?? '--empty'}`, index };
}

/** Stores files byte for byte, without filters, and returns the hashes. No path may have a line break. */
export function storeFiles(paths: readonly string[]): Command<string[]> {
  return {
    kind: 'write',
    args: argv`hash-object -w --no-filters --stdin-paths`,
    input: paths.map((path) => `${path}\n`).join(''),
    parse: lines,
  };
}

/** Adds files whose blobs are already stored to the index file `index`. */
export function addStored(
  index: string,
  files: readonly { readonly mode: string; readonly hash: string; readonly path: string }[],
): Command<void> {
  const input = files.map(({ mode, hash, path }) => `${mode} ${hash}\t${path}\0`).join('');
  return { kind: 'write', args: argv`update-index --add --replace -z --index-info`, index, input };
}

/** Removes paths from the index file `index`. */
export function removeEntries(index: string, paths: readonly string[]): Command<void> {
  const input = paths.map((path) => `${path}\0`).join('');
  return { kind: 'write', args: argv`update-index --force-remove -z --stdin`, index, input };
}

/** Adds symlinks and submodules to the index file `index`. */
export function addOthers(index: string, paths: readonly string[]): Command<void> {
  return {
    kind: 'write',
    args: argv`update-index --add --remove --replace -z --stdin`,
    index,
    input: paths.map((path) => `${path}\0`).join(''),
  };
}

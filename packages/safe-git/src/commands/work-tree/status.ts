import { argv } from '../../argv.ts';
import type { Command } from '../../command.ts';
import { fields } from '../../parse/nul-records.ts';

export interface Status {
  readonly branch: BranchState;
  readonly stashes: number;
  readonly entries: readonly StatusEntry[];
  /** Ignored files and directories, if requested. */
  readonly ignored: readonly string[];
}

export interface BranchState {
  /** The branch; undefined if HEAD is detached. */
  readonly head?: string;
  /** The commit of HEAD; undefined before the first commit. */
  readonly oid?: string;
  readonly upstream?: string;
  readonly ahead?: number;
  readonly behind?: number;
}

export type Change = 'added' | 'modified' | 'deleted' | 'renamed' | 'copied' | 'type-changed';

export interface StatusEntry {
  readonly path: string;
  readonly from?: string;
  readonly staged?: Change;
  readonly unstaged?: Change;
  readonly untracked?: true;
  /** Git's code for the sides of a conflict, such as `UU` or `DU`. */
  readonly conflict?: string;
  readonly submodule?: true;
  readonly modes?: string;
}

/** Reads HEAD's branch and the staged, unstaged, untracked and conflicting files. */
export function status({
  ignored = false,
  trusted = false,
  paths = [] as readonly string[],
} = {}): Command<Status> {
  return {
    // `--ignore-submodules=dirty` keeps git from running inside submodules, whose own configuration was not
    // checked.
    args: argv`status --porcelain=v2 -z --branch --show-stash --untracked-files=all
      ${ignored && '--ignored=traditional'} ${!trusted && '--ignore-submodules=dirty'} -- ${paths}`,
    maxBytes: 256 * 1024 * 1024,
    parse: ({ stdout }) => parseStatus(stdout),
  };
}

const changes: { readonly [letter: string]: Change } = {
  A: 'added',
  M: 'modified',
  D: 'deleted',
  R: 'renamed',
  C: 'copied',
  T: 'type-changed',
};

export function parseStatus(output: Buffer): Status {
  const branch: { -readonly [K in keyof BranchState]: BranchState[K] } = {};
  const entries: StatusEntry[] = [];
  const ignored: string[] = [];
  let stashes = 0;
  const all = fields(output);
  for (let at = 0; at < all.length; at++) {
    const record = all[at]!;
    switch (record[0]) {
      case '#': {
        const [, key, ...rest] = record.split(' ');
        const value = rest.join(' ');
        if (key === 'branch.oid' && value !== '(initial)') branch.oid = value;
        if (key === 'branch.head' && value !== '(detached)') branch.head = value;
        if (key === 'branch.upstream') branch.upstream = value;
        if (key === 'branch.ab') {
          const [ahead, behind] = value.split(' ').map((count) => Math.abs(Number(count)));
          Object.assign(branch, { ahead, behind });
        }
        if (key === 'stash') stashes = Number(value);
        break;
      }
      case '1':
        entries.push(tracked(record, 8));
        break;
      case '2':
        entries.push({ ...tracked(record, 9), from: all[++at]! });
        break;
      case 'u': {
        const { parts, path } = splitRecord(record, 10);
        entries.push({ path, conflict: parts[1]! });
        break;
      }
      case '?':
        entries.push({ path: record.slice(2), untracked: true });
        break;
      case '!':
        ignored.push(record.slice(2));
        break;
    }
  }
  return { branch, stashes, entries, ignored };
}

function tracked(record: string, width: number): StatusEntry {
  const { parts, path } = splitRecord(record, width);
  const [, sides = '..', submodule, before, index, work] = parts;
  const staged = changes[sides[0]!];
  const unstaged = changes[sides[1]!];
  const modes = [...new Set([before, index, work])].filter((mode) => mode !== '000000');
  return {
    path,
    ...(staged && { staged }),
    ...(unstaged && { unstaged }),
    ...(submodule?.startsWith('S') && { submodule: true as const }),
    ...(modes.length > 1 && { modes: modes.join(' → ') }),
  };
}

/** Splits a record into `width` fields and a path. The path follows the fields, and may contain spaces. */
function splitRecord(record: string, width: number): { parts: string[]; path: string } {
  const parts: string[] = [];
  let at = 0;
  for (let field = 0; field < width; field++) {
    const end = record.indexOf(' ', at);
    parts.push(record.slice(at, end));
    at = end + 1;
  }
  return { parts, path: record.slice(at) };
}

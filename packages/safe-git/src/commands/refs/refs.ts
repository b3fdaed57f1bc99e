import { argv } from '../../argv.ts';
import type { Command } from '../../command.ts';
import { rows, utc } from '../../parse/nul-records.ts';
import { lines } from '../../parse/printed.ts';

export interface Ref {
  /** The short name, such as `main` or `origin/main`. */
  readonly name: string;
  readonly full: string;
  /** The hash of the commit. For an annotated tag, this is the commit that the tag points to. */
  readonly hash: string;
  /** Whether the ref is a tag that points to another tag; `hash` is then the hash of that other tag. */
  readonly isNested?: true;
  readonly current: boolean;
  readonly upstream?: string;
  readonly track?: string;
  readonly date: string;
  readonly subject: string;
}

export interface RefsQuery {
  readonly kind: 'local' | 'remote' | 'all' | 'tags';
  readonly contains?: string | undefined;
  readonly notContains?: string | undefined;
  /** Only refs whose commit is in the history of this revision. */
  readonly merged?: string | undefined;
  readonly notMerged?: string | undefined;
}

const prefixes = {
  local: ['refs/heads/'],
  remote: ['refs/remotes/'],
  all: ['refs/heads/', 'refs/remotes/'],
  tags: ['refs/tags/'],
};

const maxBytes = 128 * 1024 * 1024;

/** Lists full names, sorted. Git reads commits only if the query selects by commits, such as `merged`. */
export function refNames(query: RefsQuery): Command<string[]> {
  return {
    args: argv`for-each-ref --format=%(refname) --sort=refname ${selection(query)}`,
    maxBytes,
    parse: lines,
  };
}

export interface BranchTip {
  readonly name: string;
  readonly hash: string;
}

export const branchTips: Command<BranchTip[]> = {
  args: argv`for-each-ref --format=%(objectname)%00%(refname:lstrip=2)%00 refs/heads/`,
  maxBytes,
  parse: ({ stdout }) => rows(stdout, 2).map(([hash = '', name = '']) => ({ hash, name })),
};

const format = [
  '%(refname)',
  '%(objectname)',
  '%(*objectname)',
  '%(*objecttype)',
  '%(HEAD)',
  '%(upstream:short)',
  '%(upstream:track,nobracket)',
  '%(creatordate:iso-strict)',
  '%(contents:subject)',
];

/** Reads branches or tags with their commits. `which` is a query, or a list of full names. */
export function refDetails(which: RefsQuery | readonly string[]): Command<Ref[]> {
  const selected = 'kind' in which ? selection(which) : which;
  return {
    args: argv`for-each-ref --format=${format.join('%00')}%00 --sort=refname ${selected}`,
    maxBytes,
    parse: ({ stdout }) => parseRefs(stdout),
  };
}

function selection({ kind, contains, notContains, merged, notMerged }: RefsQuery): string[] {
  return argv`--contains=${contains} --no-contains=${notContains} --merged=${merged} --no-merged=${notMerged}
    ${prefixes[kind]}`;
}

/** The name of a branch or tag without `refs/heads/`, `refs/tags/` or `refs/remotes/`. */
export function shortRefName(full: string): string {
  return full.replace(/^refs\/(heads|tags|remotes)\//, '');
}

export function parseRefs(output: Buffer): Ref[] {
  return rows(output, format.length).map((row) => {
    const [full = '', object = '', peeled, peeledType, head, ...rest] = row;
    const [upstream = '', track = '', date = '', subject = ''] = rest;
    return {
      name: shortRefName(full),
      full,
      hash: peeled || object,
      ...(peeledType === 'tag' && { isNested: true as const }),
      current: head === '*',
      ...(upstream !== '' && { upstream }),
      ...(track !== '' && { track }),
      date: utc(date),
      subject,
    };
  });
}

import type { Command } from '../command.ts';
import { rows, utc } from './nul-records.ts';

export interface Ref {
  /** The short name, such as `main` or `origin/main`. */
  readonly name: string;
  readonly full: string;
  /** The commit; of an annotated tag, the commit that it points to. */
  readonly hash: string;
  readonly current: boolean;
  readonly upstream?: string;
  readonly track?: string;
  readonly date: string;
  readonly subject: string;
}

export interface RefsOptions {
  readonly kind: 'local' | 'remote' | 'all' | 'tags';
  readonly contains?: string | undefined;
  readonly notContains?: string | undefined;
  readonly limit?: number;
}

const prefixes = {
  local: ['refs/heads/'],
  remote: ['refs/remotes/'],
  all: ['refs/heads/', 'refs/remotes/'],
  tags: ['refs/tags/'],
};

const format = [
  '%(refname)',
  '%(objectname)',
  '%(*objectname)',
  '%(HEAD)',
  '%(upstream:short)',
  '%(upstream:track,nobracket)',
  '%(creatordate:iso-strict)',
  '%(contents:subject)',
];

/** Lists branches or tags, sorted by name. */
export function refs({ kind, contains, notContains, limit }: RefsOptions): Command<Ref[]> {
  return {
    args: [
      'for-each-ref',
      `--format=${format.join('%00')}%00`,
      '--sort=refname',
      ...(limit === undefined ? [] : [`--count=${limit}`]),
      ...(contains === undefined ? [] : [`--contains=${contains}`]),
      ...(notContains === undefined ? [] : [`--no-contains=${notContains}`]),
      ...prefixes[kind],
    ],
    maxBytes: 128 * 1024 * 1024,
    parse: ({ stdout }) => parseRefs(stdout),
  };
}

export function parseRefs(output: Buffer): Ref[] {
  return rows(output, format.length).map((row) => {
    const [full, object, peeled, head, upstream, track, date, subject] = row as [
      string,
      string,
      string,
      string,
      string,
      string,
      string,
      string,
    ];
    return {
      name: full.replace(/^refs\/(heads|tags|remotes)\//, ''),
      full,
      hash: peeled || object,
      current: head === '*',
      ...(upstream !== '' && { upstream }),
      ...(track !== '' && { track }),
      date: utc(date),
      subject,
    };
  });
}

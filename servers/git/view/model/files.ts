import { countOf, lineOf, listOf, numberOf, objectOf } from '@mcp/views/model';

/** What the tools of the server compare. */
export type Compared = 'unstaged' | 'staged' | { readonly target: string } | { readonly commit: string };

/** Where a file of the status is. */
export type Group = 'conflict' | 'unstaged' | 'untracked' | 'staged';

export interface ChangedFile {
  /** The path and the former path, as the tools take them. */
  readonly path: string;
  readonly from: string | undefined;
  /** How they are shown. */
  readonly text: string;
  readonly added: number | undefined;
  readonly deleted: number | undefined;
  /** The letter of the change, as git has it. */
  readonly letter: string;
  readonly group: Group | undefined;
}

export const groups: Readonly<Record<Group, string>> = {
  conflict: 'in conflict',
  unstaged: 'not staged',
  untracked: 'not tracked',
  staged: 'staged',
};

const letters: Readonly<Record<string, string>> = {
  added: 'A',
  modified: 'M',
  deleted: 'D',
  renamed: 'R',
  copied: 'C',
  'type-changed': 'T',
};

const maxFiles = 5_000;

function fileOf(value: unknown, letter: string, group?: Group): ChangedFile {
  const { path, from, added, deleted } = objectOf(value);
  const former = typeof from === 'string' ? from : undefined;
  return {
    path: typeof path === 'string' ? path : '',
    from: former,
    text: former === undefined ? lineOf(path, 400) : `${lineOf(former, 400)} → ${lineOf(path, 400)}`,
    added: numberOf(added),
    deleted: numberOf(deleted),
    letter,
    group,
  };
}

/** The files of a diff. */
export function filesOf(content: unknown): ChangedFile[] {
  return listOf(objectOf(content)['files'], maxFiles).map((each) =>
    fileOf(each, objectOf(each)['from'] === undefined ? '' : 'R'),
  );
}

/** The state of the work tree: a file that is staged in part is there twice. */
export interface Status {
  readonly branch: string;
  readonly notes: readonly string[];
  readonly files: readonly ChangedFile[];
  /** The number of files that the server has not sent. */
  readonly missing: number;
  readonly isWritable: boolean;
}

export function statusOf(content: unknown): Status {
  const { branch, commit, upstream, ahead, behind, operation, stashes, writable, ...rest } =
    objectOf(content);
  const files = listOf(rest['files'], maxFiles);
  const all = files.flatMap((each) => {
    const { staged, unstaged, untracked, conflict } = objectOf(each);
    if (typeof conflict === 'string') return [fileOf(each, 'U', 'conflict')];
    if (untracked === true) return [fileOf(each, '?', 'untracked')];
    return [
      ...(typeof unstaged === 'string' ? [fileOf(each, letters[unstaged] ?? '', 'unstaged')] : []),
      ...(typeof staged === 'string' ? [fileOf(each, letters[staged] ?? '', 'staged')] : []),
    ];
  });
  const order = Object.keys(groups);
  return {
    branch: typeof branch === 'string' ? lineOf(branch, 100) : `at ${lineOf(commit, 10)}`,
    notes: [
      typeof operation === 'string' ? `in progress: ${lineOf(operation, 60)}` : '',
      typeof upstream === 'string' ? lineOf(upstream, 80) : '',
      numberOf(ahead) ? `${countOf(numberOf(ahead)!, 'commit')} ahead` : '',
      numberOf(behind) ? `${countOf(numberOf(behind)!, 'commit')} behind` : '',
      numberOf(stashes) ? countOf(numberOf(stashes)!, 'stash', 'stashes') : '',
    ].filter((note) => note !== ''),
    files: all.toSorted((a, b) => order.indexOf(a.group!) - order.indexOf(b.group!)),
    missing: Math.max(0, (numberOf(rest['total']) ?? 0) - files.length),
    isWritable: writable === true,
  };
}

/** What is compared for a file of the status. */
export function comparedIn(group: Group): Compared {
  return group === 'staged' ? 'staged' : 'unstaged';
}

/** `3 files, 12 lines added, 4 removed`. */
export function filesFacts(files: readonly ChangedFile[], hasMore: boolean): string[] {
  const sum = (side: 'added' | 'deleted') => files.reduce((total, file) => total + (file[side] ?? 0), 0);
  return [
    `${hasMore ? 'more than ' : ''}${countOf(files.length, 'file')}`,
    ...(hasMore
      ? []
      : [`${countOf(sum('added'), 'line')} added, ${sum('deleted').toLocaleString('en')} removed`]),
  ];
}

/** How many files of the status each group has. */
export function statusFacts({ files, missing }: Status): string[] {
  if (files.length === 0) return ['Nothing has changed'];
  const counts = Object.entries(groups).flatMap(([group, text]) => {
    const count = files.filter((file) => file.group === group).length;
    return count === 0 ? [] : [`${count.toLocaleString('en')} ${text}`];
  });
  return missing === 0 ? counts : [...counts, `${countOf(missing, 'file')} more`];
}

/** A commit of git_log with `full`. */
export interface CommitFacts {
  readonly hash: string;
  readonly parents: readonly string[];
  readonly author: { readonly name: string; readonly email: string };
  readonly authored: string;
  readonly committer?: { readonly name: string; readonly email: string };
  readonly message: string;
}

/** A file of git_status. */
export interface EntryFacts {
  readonly path: string;
  readonly from?: string;
  /** Two letters, as `git status --short` prints them. */
  readonly sides: string;
  readonly notes?: string;
}

export interface StatusFacts {
  /** Undefined if HEAD is detached. */
  readonly branch: string | undefined;
  /** Undefined before the first commit. */
  readonly commit: string | undefined;
  readonly operation: string | undefined;
  readonly entries: readonly EntryFacts[];
  readonly total: number;
  readonly nextCursor: string | undefined;
}

export interface RefFacts {
  readonly name: string;
  readonly commit: string;
  readonly date: string;
  readonly upstream?: string;
  readonly current: boolean;
  readonly subject: string;
}

/** Reads a text answer as a program would. */
export function statusFacts(text: string): StatusFacts {
  const [head = '', ...rest] = text.split('\n');
  const [, branch] = /^On (.*?)(?: at [0-9a-f]{10}|, no commit yet)/.exec(head) ?? [];
  const entries = rest.flatMap((line) => {
    const [, sides, from, path, notes] = entryLine.exec(line) ?? [];
    if (sides === undefined || path === undefined) return [];
    return [{ sides, path: named(path), ...(from && { from: named(from) }), ...(notes && { notes }) }];
  });
  return {
    branch,
    commit: / at ([0-9a-f]{10})/.exec(head)?.[1],
    operation: /^In progress: (.*)$/m.exec(text)?.[1],
    entries,
    total: Number(/^Changed files: (\d+)$/m.exec(text)?.[1] ?? 0),
    nextCursor: nextCursorOf(text),
  };
}

const name = String.raw`"(?:[^"\\]|\\.)*"|[^"].*?`;
const entryLine = new RegExp(
  String.raw`^([ AMDRCTU?][ AMDRCTU?]) (?:(${name}) -> )?(${name})(?: \(([^)]*)\))?$`,
);

/** A name, which is quoted and escaped where it could be read in another way. */
export function named(shown: string): string {
  return shown.startsWith('"') ? unescaped(shown.slice(1, -1)) : shown;
}

/** The text that was escaped to be shown. */
export function unescaped(shown: string): string {
  const json = shown.replaceAll(/\\(?:u\{([0-9a-f]+)\}|.)/g, (escape, code: string | undefined) =>
    code === undefined ? escape : JSON.stringify(String.fromCodePoint(parseInt(code, 16))).slice(1, -1),
  );
  return JSON.parse(`"${json}"`) as string;
}

export function logFacts(text: string): { commits: CommitFacts[]; nextCursor: string | undefined } {
  const commits = text.split(/^(?=commit [0-9a-f]{40,64}$)/m).filter((block) => block.startsWith('commit '));
  return { commits: commits.map(commitFacts), nextCursor: nextCursorOf(text) };
}

function commitFacts(block: string): CommitFacts {
  const field = (key: string) => new RegExp(`^${key}:? (.*)$`, 'm').exec(block)?.[1];
  const person = (key: string) => /^(.*) <(.*)> (.*)$/.exec(field(key) ?? '') ?? [];
  const [, author = '', email = '', authored = ''] = person('Author');
  const [, committer, address = ''] = person('Committer');
  const message = block.split('\n').filter((line) => line.startsWith('    '));
  return {
    hash: field('commit')!,
    parents: field('Parents')?.split(' ') ?? [],
    author: { name: author, email },
    authored,
    ...(committer !== undefined && { committer: { name: committer, email: address } }),
    message: message.map((line) => line.slice(4)).join('\n'),
  };
}

export function refFacts(text: string): RefFacts[] {
  return text.split('\n').flatMap((line) => {
    const [, star, ref, commit, date, upstream, subject] =
      /^([* ]) (.*?) ([0-9a-f]{10}) (\d{4}-\d\d-\d\d)(?: \[([^\]]*)\])? (.*)$/.exec(line) ?? [];
    if (ref === undefined) return [];
    return [
      {
        name: ref,
        commit: commit!,
        date: date!,
        current: star === '*',
        subject: subject!,
        ...(upstream && { upstream }),
      },
    ];
  });
}

export function nextCursorOf(text: string): string | undefined {
  return /… .*more with cursor "(.*)"$/.exec(text)?.[1];
}

import type {
  Author,
  BlameHunk,
  ChangedFile,
  Commit,
  Operation,
  Ref,
  ReflogEntry,
  remotesOf,
  Stash,
  Status,
  StatusEntry,
  Submodule,
  Worktree,
} from '@mcp/safe-git';
import { fittingJson, subjectOf } from '@mcp/safe-git';
import * as z from 'zod';

// What answers say, as structured content with its schemas. Names and texts are as git has them, unescaped.

type Remote = Awaited<ReturnType<typeof remotesOf>>[number];

const count = z.int().min(0);
const cursor = z.string().optional();
const change = z.enum(['added', 'modified', 'deleted', 'renamed', 'copied', 'type-changed']).optional();

/** A list that has no cursor: rows as far as they fit, and the number of all. */
const listOf = <Name extends string>(name: Name, row: z.ZodType) =>
  z.object({ [name]: z.array(row), total: count } as { [_ in Name]: z.ZodArray<z.ZodType> } & {
    total: typeof count;
  });

/** The facts of a list that has no cursor. */
export function listFacts<Row extends object>(name: string, rows: readonly Row[]): object {
  return { [name]: rows.slice(0, fittingJson(rows)), total: rows.length };
}

export const statusSchema = z.object({
  branch: z.string().optional(),
  commit: z.string().optional(),
  upstream: z.string().optional(),
  ahead: count.optional(),
  behind: count.optional(),
  operation: z.string().optional(),
  stashes: count,
  files: z.array(
    z.object({
      path: z.string(),
      from: z.string().optional(),
      staged: change,
      unstaged: change,
      untracked: z.literal(true).optional(),
      conflict: z.string().optional(),
      submodule: z.literal(true).optional(),
      modes: z.string().optional(),
    }),
  ),
  total: count,
  next_cursor: cursor,
});

/** The facts of a status, with the files of a page. */
export function statusFacts(
  { branch: { head, oid, upstream, ahead, behind }, stashes, entries }: Status,
  operation: Operation | undefined,
  { files, next }: { readonly files: readonly StatusEntry[]; readonly next: string | undefined },
): z.output<typeof statusSchema> {
  return {
    branch: head,
    commit: oid,
    upstream,
    ahead,
    behind,
    operation,
    stashes,
    files: [...files],
    total: entries.length,
    next_cursor: next,
  };
}

export const changedFilesSchema = z.array(
  z.object({
    path: z.string(),
    from: z.string().optional(),
    added: count.optional(),
    deleted: count.optional(),
  }),
);
export const diffSchema = z.object({
  files: changedFilesSchema,
  next_cursor: cursor,
});

/** The structured content of a page of a diff: the files that the page lists with their counts. */
export function diffFacts(files: readonly ChangedFile[] = [], next?: string): z.output<typeof diffSchema> {
  return { files: [...files], next_cursor: next };
}

export const commitSchema = z.object({
  hash: z.string(),
  parents: z.array(z.string()),
  author: z.string(),
  email: z.string(),
  date: z.string(),
  subject: z.string(),
  message: z.string().optional(),
});
const movementSchema = z.object({
  selector: z.string(),
  hash: z.string(),
  date: z.string(),
  action: z.string(),
  subject: z.string(),
});
export const logSchema = z.object({
  commits: z.array(commitSchema).optional(),
  movements: z.array(movementSchema).optional(),
  next_cursor: cursor,
});

/** A commit; its whole message only with `full`. */
export function commitFacts(commit: Commit, full: boolean): z.output<typeof commitSchema> {
  const { hash, parents, author, authored, message } = commit;
  return {
    hash,
    parents: [...parents],
    author: author.name,
    email: author.email,
    date: authored,
    subject: subjectOf(commit),
    ...(full && { message }),
  };
}

export function movementFacts(entry: ReflogEntry): z.output<typeof movementSchema> {
  const { selector, hash, date, action, subject } = entry;
  return { selector, hash, date, action, subject };
}

const refSchema = z.object({
  name: z.string(),
  hash: z.string(),
  current: z.boolean(),
  upstream: z.string().optional(),
  track: z.string().optional(),
  date: z.string(),
  subject: z.string(),
});
export const refsSchema = z.object({ refs: z.array(refSchema), total: count, next_cursor: cursor });

export function refFacts({ name, hash, current, upstream, track, date, subject }: Ref) {
  return { name, hash, current, upstream, track, date, subject };
}

export const blameSchema = z.object({
  ranges: z.array(
    z.object({
      start_line: z.int().min(1),
      end_line: z.int().min(1),
      hash: z.string(),
      author: z.string(),
      email: z.string(),
      date: z.string(),
      subject: z.string(),
      lines: z.array(z.string()).optional(),
    }),
  ),
  next_line: z.int().optional(),
});

/** A range of lines; the lines themselves only with `withText`. */
export function rangeFacts(hunk: BlameHunk, withText: boolean) {
  const { hash, author, email, date, subject, line, lines } = hunk;
  const range = { start_line: line, end_line: line + lines.length - 1 };
  return { ...range, hash, author, email, date, subject, ...(withText && { lines: [...lines] }) };
}

export const matchesSchema = z.object({
  matches: z.array(z.object({ path: z.string(), line: z.int().min(1), text: z.string() })),
  more: z.boolean(),
});

export const stashesSchema = listOf(
  'stashes',
  z.object({ index: count, hash: z.string(), date: z.string(), message: z.string() }),
);

export function stashFacts({ index, hash, date, message }: Stash) {
  return { index, hash, date, message };
}

export const worktreesSchema = listOf(
  'worktrees',
  z.object({
    path: z.string(),
    hash: z.string().optional(),
    branch: z.string().optional(),
    bare: z.literal(true).optional(),
    locked: z.literal(true).optional(),
    prunable: z.literal(true).optional(),
  }),
);

export function worktreeFacts({ path, hash, branch, bare, locked, prunable }: Worktree) {
  return { path, hash, branch, bare, locked, prunable };
}

export const remotesSchema = listOf('remotes', z.object({ name: z.string(), url: z.string() }));

export function remoteFacts({ name, url }: Remote, shown: (url: string) => string) {
  return { name, url: shown(url) };
}

export const authorsSchema = listOf(
  'authors',
  z.object({
    name: z.string(),
    email: z.string(),
    commits: count,
    first: z.string(),
    last: z.string(),
    lines: count.optional(),
  }),
);

export function authorFacts({ name, email, commits, first, last, lines }: Author) {
  return { name, email, commits, first, last, lines };
}

export const submodulesSchema = listOf(
  'submodules',
  z.object({
    name: z.string(),
    path: z.string(),
    url: z.string().optional(),
    expected: z.string(),
    commit: z.string().optional(),
    changes: count,
  }),
);

export function submoduleFacts(submodule: Submodule, shown: (url: string) => string) {
  const { name, path, url, expected, commit, changes } = submodule;
  return { name, path, url: url === undefined ? undefined : shown(url), expected, commit, changes };
}

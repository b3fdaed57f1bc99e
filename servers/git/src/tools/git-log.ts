import { defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { isShallow } from '../backend/queries/in-progress-operation.ts';
import { readReflogPage } from '../backend/queries/reflog-page.ts';
import { readLogPage } from '../backend/queries/log-page.ts';
import { renamedFrom, type Origin } from '../backend/queries/renamed-from.ts';
import { quoted } from '../backend/display-name.ts';
import { dateLimit } from '../backend/commands/date-limit.ts';
import { functionRange, lineRange } from '../backend/commands/line-range.ts';
import { objectHash } from '../backend/commands/rev-parse.ts';
import { missingError } from '../backend/errors.ts';
import { missing } from '../backend/missing.ts';
import { withNearestNames } from '../backend/queries/nearest-names.ts';
import { checkRevisionOrRange } from '../backend/commands/validate-revision.ts';
import type { CallOptions, Repository } from '../backend/repository.ts';
import { parseOffset } from '../input/offset-cursor.ts';
import { reflogLine } from '../text/reflog-text.ts';
import { workTreePath } from '../backend/access/work-tree-path.ts';
import type { Git } from '../context.ts';
import { repositoryArgument } from '../input/repository-argument.ts';
import { commitLine } from '../text/commit-line.ts';
import { commitText } from '../text/commit-text.ts';
import { endOfPage } from '../text/end-of-page.ts';

export const gitLog = defineTool({
  name: 'git_log',
  title: 'Log',
  description: 'Lists commits, newest first.',
  annotations: { readOnlyHint: true, openWorldHint: false },

  inputSchema: z.object({
    ...repositoryArgument,
    max_count: z.int().min(1).max(1_000).default(10),
    start_timestamp: z.string().optional().describe('ISO 8601, or such as "2 weeks ago"'),
    end_timestamp: z.string().optional(),
    revision: z.string().optional().describe('Revision or range a..b; defaults to HEAD'),
    path: z.string().optional().describe('Only commits that change it'),
    author: z.string().optional().describe('Part of a name or address'),
    grep: z.string().optional().describe('Part of a message'),
    changed_text: z.string().min(1).optional().describe('Text that they add or remove'),
    changed_regexp: z.string().min(1).max(1_000).optional(),
    lines: z.string().optional().describe('Only commits that change lines of path, such as 10-20'),
    function: z.string().optional().describe('The same for a function'),
    all: z.boolean().default(false).describe('Of all branches and tags'),
    reflog: z.boolean().default(false).describe('Instead, where HEAD or the branch revision was'),
    full: z.boolean().default(false).describe('Whole messages, addresses, times and parents'),
    cursor: z.string().optional(),
  }),

  async run(args, { repositories }: Git, call) {
    if (args.reflog) return showReflog(args, repositories.at(args.repo_path), call);
    const { start_timestamp: since, end_timestamp: until, revision, path } = args;
    const filter = {
      from: revision === undefined ? undefined : checkRevisionOrRange(revision),
      since: since === undefined ? undefined : dateLimit(since, 'start'),
      until: until === undefined ? undefined : dateLimit(until, 'end'),
      author: part(args.author),
      grep: part(args.grep),
      changedText: part(args.changed_text),
      changedRegexp: part(args.changed_regexp),
      lines: linesOf(args),
      all: args.all,
    };
    if (args.all && revision !== undefined) throw new Error('Invalid arguments: all takes no revision');
    if (filter.changedText !== undefined && filter.changedRegexp !== undefined)
      throw new Error('Invalid arguments: expected one of changed_text and changed_regexp');
    const repository = repositories.at(args.repo_path);
    const layout = await repository.layout();
    const options = {
      ...filter,
      max: args.max_count,
      full: args.full,
      path: path === undefined ? undefined : workTreePath(path, layout.top),
    };
    const { commits, nextCursor, before } = await readLogPage(repository, options, args.cursor, call);
    const lines = commits.map(args.full ? commitText : commitLine);
    const counts = {
      before,
      shown: commits.length,
      one: 'commit',
      nextCursor,
      shallow: isShallow(layout),
    };
    if (lines.length === 0) return noCommits(repository, options, call);
    const oldest = nextCursor === undefined && options.lines === undefined ? commits.at(-1)?.hash : undefined;
    const origin =
      options.path === undefined || oldest === undefined
        ? undefined
        : await renamedFrom(repository, options.path, { ...options, oldest }, call);
    return [...lines, ...(origin ? [originLine(origin)] : []), endOfPage(counts)].join('\n');
  },
});

function originLine({ path, commit }: Origin): string {
  return `Renamed from ${quoted(path)} in ${commit.slice(0, 10)}; git_log of that path has the earlier commits`;
}

/** The answer without a commit; names the paths nearest to one that does not exist. */
async function noCommits(
  repository: Repository,
  { path, from = 'HEAD' }: { readonly path?: string | undefined; readonly from?: string | undefined },
  call: CallOptions,
): Promise<string> {
  const end = from.split(/\.{2,3}/).at(-1) || 'HEAD';
  if (path === undefined || (await repository.run(objectHash(`${end}:${path}`), call))) return 'No commits';
  const { message } = await withNearestNames(
    repository,
    missingError(missing('file', path, { message: 'No commits' })),
    call,
  );
  return message;
}

interface Lines {
  readonly path?: string | undefined;
  readonly lines?: string | undefined;
  readonly function?: string | undefined;
}

function linesOf({ path, lines, function: name }: Lines): string | undefined {
  if (lines === undefined && name === undefined) return undefined;
  if (path === undefined) throw new Error('Missing path of the lines');
  if (lines !== undefined && name !== undefined)
    throw new Error('Invalid arguments: expected one of lines and function');
  return name === undefined ? lineRange(lines!) : functionRange(name);
}

/** Arguments that cannot be combined with `reflog`. */
const onlyForCommits = [
  'path',
  'changed_text',
  'changed_regexp',
  'lines',
  'function',
  'all',
  'full',
] as const;

interface ReflogArguments extends Partial<
  Record<(typeof onlyForCommits)[number], string | boolean | undefined>
> {
  readonly revision?: string | undefined;
  readonly start_timestamp?: string | undefined;
  readonly end_timestamp?: string | undefined;
  readonly author?: string | undefined;
  readonly grep?: string | undefined;
  readonly max_count: number;
  readonly cursor?: string | undefined;
}

async function showReflog(args: ReflogArguments, repository: Repository, call: CallOptions): Promise<string> {
  const refused = onlyForCommits.filter((name) => args[name] !== undefined && args[name] !== false);
  if (refused.length > 0) throw new Error(`Invalid arguments: reflog takes no ${refused.join(', ')}`);
  const {
    revision: branch,
    start_timestamp: since,
    end_timestamp: until,
    author,
    grep,
    max_count: max,
  } = args;
  const skip = parseOffset(args.cursor);
  const request = { branch, since, until, author, grep, max, skip };
  const { entries, more } = await readReflogPage(repository, request, call);
  const next = more ? String(skip + max) : undefined;
  const counts = { before: skip, shown: entries.length, one: 'movement', nextCursor: next };
  if (entries.length > 0) return [...entries.map(reflogLine), endOfPage(counts)].join('\n');
  return [since, until, author, grep].every((filter) => filter === undefined)
    ? 'No reflog'
    : 'No such movement';
}

/** Text to search for, which git gets in one argument with its option. */
function part(text: string | undefined): string | undefined {
  if (text?.includes('\0')) throw new Error('Invalid text: it contains a NUL');
  return text;
}

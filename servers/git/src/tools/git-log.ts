import * as z from 'zod';
import {
  checkRevisionOrRange,
  checkText,
  commitLine,
  commitText,
  dateLimit,
  endOfPage,
  fittingJson,
  fittingRows,
  formerPaths,
  formerPathsLine,
  functionRange,
  isShallow,
  lineRange,
  noCommitsText,
  originLine,
  parseOffset,
  readLogPage,
  readReflogPage,
  reflogLine,
  renamedFrom,
  type Repository,
  withPatches,
  workTreePath,
} from '@mcp/safe-git';
import { repositoryTool, type Told } from '../input/repository-tool.ts';
import { commitFacts, logSchema, movementFacts } from '../text/facts.ts';

const args = {
  max_count: z.int().min(1).max(1_000).default(10),
  start_timestamp: z.string().optional().describe('ISO 8601, or such as "2 weeks ago"'),
  end_timestamp: z.string().optional(),
  revision: z.string().optional().describe('Revision or range a..b; defaults to HEAD'),
  path: z.string().optional().describe('Only commits that change it'),
  author: z.string().optional().describe('Part of a name or address'),
  grep: z.string().optional().describe('Part of a message'),
  changed_text: z.string().min(1).optional().describe('Only commits that add or remove this text'),
  changed_regexp: z.string().min(1).max(1_000).optional(),
  lines: z.string().optional().describe('Only commits that change lines of path, such as 10-20'),
  function: z.string().optional().describe('Only commits that change this function of path'),
  all: z.boolean().default(false).describe('Of all branches and tags'),
  reflog: z.boolean().default(false).describe('Instead, the reflog of HEAD or of the branch revision'),
  follow: z.boolean().default(false).describe('Through renames of path'),
  patch: z.boolean().default(false).describe('With diffs, only of path or lines if given'),
  stat: z.boolean().default(false).describe('With line counts per file'),
  full: z.boolean().default(false).describe('Whole messages, addresses, times and parents'),
  cursor: z.string().optional(),
};

type LogArguments = z.output<z.ZodObject<typeof args>>;

export const gitLog = repositoryTool({
  name: 'git_log',
  title: 'Log',
  description: 'Lists commits, newest first.',
  annotations: { readOnlyHint: true, openWorldHint: false },

  args,
  facts: logSchema,

  async run(repository, given, call) {
    const { structured } = call.context;
    if (given.reflog) return showReflog(given, repository, structured);
    const { start_timestamp: since, end_timestamp: until, revision, path } = given;
    const filter = {
      from: revision === undefined ? undefined : checkRevisionOrRange(revision),
      since: since === undefined ? undefined : dateLimit(since, 'start'),
      until: until === undefined ? undefined : dateLimit(until, 'end'),
      author: checkText(given.author),
      grep: checkText(given.grep),
      changedText: checkText(given.changed_text),
      changedRegexp: checkText(given.changed_regexp),
      lines: linesOf(given),
      all: given.all,
    };
    if (given.all && revision !== undefined)
      throw new Error('Invalid arguments: give all or revision, not both');
    if (filter.changedText !== undefined && filter.changedRegexp !== undefined)
      throw new Error('Invalid arguments: expected at most one of changed_text and changed_regexp');
    if (given.follow && path === undefined) throw new Error('Missing path to follow');
    if (given.follow && filter.lines !== undefined)
      throw new Error('Invalid arguments: lines and function follow renames anyway, without follow');
    const layout = await repository.layout();
    const options = {
      ...filter,
      max: given.max_count,
      follow: given.follow,
      stat: given.stat && !given.patch,
      full: given.full,
      path: path === undefined ? undefined : workTreePath(path, layout.top),
    };
    const show = given.full ? commitText : commitLine;
    const page = await readLogPage(repository, options, given.cursor);
    let { commits, nextCursor, before } = page;
    const hasDiffs = given.patch || given.stat;
    let lines = hasDiffs ? await withPatches(repository, page, options, show) : commits.map(show);
    const rows = commits.map((commit) => commitFacts(commit, given.full));
    const fitting = structured ? Math.min(fittingJson(rows), lines.length) : lines.length;
    lines = lines.slice(0, fitting);
    if (fitting < commits.length) {
      const shorter = { ...options, max: fitting };
      ({ commits, nextCursor, before } = await readLogPage(repository, shorter, given.cursor));
    }
    const facts = { commits: rows.slice(0, fitting), next_cursor: nextCursor };
    const shallow = isShallow(layout);
    const counts = { before, shown: commits.length, one: 'commit', nextCursor, shallow };
    const isLast = nextCursor === undefined && options.lines === undefined;
    const names = isLast ? await namesOf(repository, options, commits.at(-1)?.hash) : undefined;
    if (lines.length === 0)
      return { text: [await noCommitsText(repository, options), ...(names ?? [])].join('\n'), facts };
    lines.push(...(names ?? []));
    const note = names?.length === 0 && !shallow ? 'never renamed' : undefined;
    const text = [...lines, endOfPage({ ...counts, note })].join(hasDiffs ? '\n\n' : '\n');
    return { text, facts };
  },
});

/**
 * The line about former paths of a followed file, or about the path from which a file was renamed. Empty if a
 * followed file had no other path; undefined if none is known.
 */
async function namesOf(
  repository: Repository,
  { path, ...options }: Parameters<typeof formerPaths>[2],
  oldest: string | undefined,
): Promise<string[] | undefined> {
  if (path === undefined) return undefined;
  const former = options.follow ? await formerPaths(repository, path, options) : undefined;
  if (former?.length === 0) return [];
  // With author or grep, git does not notice a rename in a commit that they leave out, so the log ends there.
  const ends = (options.author ?? options.grep) !== undefined;
  const also = ends ? '; author and grep end the log there: ask for these paths too' : '';
  if (former !== undefined) return [`${formerPathsLine(former)}${also}`];
  const origin =
    oldest === undefined ? undefined : await renamedFrom(repository, path, { ...options, oldest });
  return origin && (!options.follow || origin.isDirectory) ? [originLine(origin)] : undefined;
}

function linesOf({ path, lines, function: name }: LogArguments): string | undefined {
  if (lines === undefined && name === undefined) return undefined;
  if (path === undefined) throw new Error('Missing path: the file of lines or function');
  if (lines !== undefined && name !== undefined)
    throw new Error('Invalid arguments: expected at most one of lines and function');
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
  'follow',
  'patch',
  'stat',
] as const;

async function showReflog(given: LogArguments, repository: Repository, structured: boolean): Promise<Told> {
  const refused = onlyForCommits.filter((name) => given[name] !== undefined && given[name] !== false);
  if (refused.length > 0) throw new Error(`Invalid arguments: reflog takes no ${refused.join(', ')}`);
  const { revision: branch, max_count: max, author, grep } = given;
  const filter = { since: given.start_timestamp, until: given.end_timestamp, author, grep };
  const skip = parseOffset(given.cursor);
  const { entries, more } = await readReflogPage(repository, { branch, ...filter, max, skip });
  const lines = entries.map(reflogLine);
  const rows = entries.map(movementFacts);
  const shown = fittingRows(lines, structured ? rows : undefined);
  const next = more || shown < lines.length ? String(skip + shown) : undefined;
  const counts = { before: skip, shown, one: 'movement', nextCursor: next };
  const facts = { movements: rows.slice(0, shown), next_cursor: next };
  if (shown > 0) return { text: [...lines.slice(0, shown), endOfPage(counts)].join('\n'), facts };
  const isWhole = Object.values(filter).every((value) => value === undefined);
  return { text: isWhole ? 'No reflog' : 'No entry of the reflog matches', facts };
}

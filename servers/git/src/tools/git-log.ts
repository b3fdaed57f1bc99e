import * as z from 'zod';
import {
  commitLine,
  commitText,
  endOfPage,
  fittingJson,
  fittingRows,
  formerPaths,
  formerPathsLine,
  isShallow,
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
import { filterArguments, filterOf } from '../input/log-filter.ts';
import { repositoryTool, type Told } from '../input/repository-tool.ts';
import { commitFacts, logSchema, movementFacts } from '../text/facts.ts';
import { repositoryView } from '../views.ts';

const args = {
  max_count: z.int().min(1).max(1_000).default(10),
  ...filterArguments,
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
  view: repositoryView,

  args,
  facts: logSchema,

  async run(repository, given, call) {
    const { structured } = call.context;
    if (given.reflog) return showReflog(given, repository, structured);
    const filter = filterOf(given);
    const { path } = given;
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

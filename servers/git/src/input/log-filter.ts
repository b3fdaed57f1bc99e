import { checkRevisionOrRange, checkText, dateLimit, functionRange, lineRange } from '@mcp/safe-git';
import * as z from 'zod';

/** The arguments that select commits. */
export const filterArguments = {
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
};

type FilterArguments = z.output<z.ZodObject<typeof filterArguments>> & { readonly follow: boolean };

/** The filter of a log. Throws for arguments that are invalid, or that cannot be combined. */
export function filterOf(given: FilterArguments) {
  const { start_timestamp: since, end_timestamp: until, revision, path, all, follow } = given;
  const filter = {
    from: revision === undefined ? undefined : checkRevisionOrRange(revision),
    since: since === undefined ? undefined : dateLimit(since, 'start'),
    until: until === undefined ? undefined : dateLimit(until, 'end'),
    author: checkText(given.author),
    grep: checkText(given.grep),
    changedText: checkText(given.changed_text),
    changedRegexp: checkText(given.changed_regexp),
    lines: linesOf(given),
    all,
  };
  if (all && revision !== undefined) throw new Error('Invalid arguments: give all or revision, not both');
  if (filter.changedText !== undefined && filter.changedRegexp !== undefined)
    throw new Error('Invalid arguments: expected at most one of changed_text and changed_regexp');
  if (follow && path === undefined) throw new Error('Missing path to follow');
  if (follow && filter.lines !== undefined)
    throw new Error('Invalid arguments: lines and function follow renames anyway, without follow');
  return filter;
}

function linesOf({ path, lines, function: name }: FilterArguments): string | undefined {
  if (lines === undefined && name === undefined) return undefined;
  if (path === undefined) throw new Error('Missing path: the file of lines or function');
  if (lines !== undefined && name !== undefined)
    throw new Error('Invalid arguments: expected at most one of lines and function');
  return name === undefined ? lineRange(lines!) : functionRange(name);
}

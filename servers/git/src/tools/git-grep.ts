import * as z from 'zod';
import {
  assertTracked,
  checkPattern,
  checkRevision,
  countText,
  fittingRows,
  escapeText,
  grep,
  listedPath,
  SymlinkedPaths,
  workTreePaths,
} from '@mcp/safe-git';
import { repositoryTool } from '../input/repository-tool.ts';
import { matchesSchema } from '../text/facts.ts';

const limit = 200;
export const gitGrep = repositoryTool({
  name: 'git_grep',
  title: 'Grep',
  description: `Finds lines with a text in tracked files or in a revision; at most ${limit}.`,
  annotations: { readOnlyHint: true, openWorldHint: false },

  args: {
    pattern: z.string().min(1).max(1_000),
    revision: z.string().optional(),
    paths: z.array(z.string()).optional(),
    ignore_case: z.boolean().default(false),
    regexp: z.boolean().default(false).describe('pattern is an extended regular expression'),
  },

  facts: matchesSchema,

  async run(repository, args, call) {
    checkPattern(args.pattern, args.regexp);
    const revision = args.revision === undefined ? undefined : checkRevision(args.revision);
    const { top } = await repository.layout();
    const linked = new SymlinkedPaths(top);
    const paths = workTreePaths(args.paths ?? [], top);
    const { pattern, ignore_case: ignoreCase, regexp } = args;
    const skip = revision === undefined ? (path: Buffer) => linked.has(path) : undefined;
    const options = { pattern, revision, paths, ignoreCase, max: limit, skip };
    const { matches, more } = await repository.run(grep({ ...options, regexp }));
    const asPattern = () => grep({ ...options, regexp: true });
    const lines = matches.map(({ path, line, text }) => `${listedPath(path)}:${line}\t${escapeText(text)}`);
    if (lines.length === 0) {
      await assertTracked(repository, paths, revision);
      const asRegexp = regexp || !looksLikeRegexp(pattern) ? undefined : await repository.run(asPattern());
      const facts = { matches: [], more: false };
      if (!asRegexp?.matches.length) return { text: 'No matches', facts };
      const found = `${asRegexp.more ? 'more than ' : ''}${countText(asRegexp.matches.length, 'line')}`;
      return { text: `No matches of this text; as a regular expression, with regexp: ${found}`, facts };
    }
    const shown = fittingRows(lines, call.context.structured ? matches : undefined);
    const isCut = more || shown < lines.length;
    const count = isCut
      ? `… more than ${shown} match; narrow the pattern or the paths`
      : countText(lines.length, 'match', 'matches');
    const text = [...lines.slice(0, shown), count].join('\n');
    return { text, facts: { matches: matches.slice(0, shown), more: isCut } };
  },
});

/** Whether a text contains special characters of regular expressions and is a valid regular expression. */
function looksLikeRegexp(pattern: string): boolean {
  if (!/[|\\^$*+?[\](){}]|\./.test(pattern)) return false;
  try {
    checkPattern(pattern, true);
    return new RegExp(pattern).source.length > 0;
  } catch {
    return false;
  }
}

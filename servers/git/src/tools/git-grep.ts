import * as z from 'zod';
import {
  assertTracked,
  checkPattern,
  checkRevision,
  countText,
  escapeText,
  grep,
  listedPath,
  SymlinkedPaths,
  workTreePaths,
} from '@mcp/safe-git';
import { repositoryTool } from '../input/repository-tool.ts';

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

  async run(repository, args) {
    checkPattern(args.pattern, args.regexp);
    const revision = args.revision === undefined ? undefined : checkRevision(args.revision);
    const { top } = await repository.layout();
    const linked = new SymlinkedPaths(top);
    const paths = workTreePaths(args.paths ?? [], top);
    const { pattern, ignore_case: ignoreCase, regexp } = args;
    const skip = revision === undefined ? (path: Buffer) => linked.has(path) : undefined;
    const command = grep({ pattern, revision, paths, ignoreCase, regexp, max: limit, skip });
    const { matches, more } = await repository.run(command);
    const lines = matches.map(({ path, line, text }) => `${listedPath(path)}:${line}: ${escapeText(text)}`);
    if (lines.length === 0) {
      await assertTracked(repository, paths, revision);
      return 'No matches';
    }
    const count = more
      ? `… more than ${limit} match; narrow the pattern or the paths`
      : countText(lines.length, 'match', 'matches');
    return [...lines, count].join('\n');
  },
});

import { defineTool } from '@mcp/protocol';
import * as z from 'zod';
import { displayText, listedPath } from '../backend/display-name.ts';
import { grep } from '../backend/commands/grep.ts';
import { assertTracked } from '../backend/queries/assert-paths.ts';
import { checkRevision } from '../backend/commands/validate-revision.ts';
import { workTreePaths } from '../backend/access/work-tree-path.ts';
import { SymlinkedPaths } from '../backend/access/symlinked-paths.ts';
import type { Git } from '../context.ts';
import { repositoryArgument } from '../input/repository-argument.ts';
import { countText } from '../text/count-text.ts';

const limit = 200;
/** Git allocates memory for each of them. */
const maxRepetitions = 10_000;

export const gitGrep = defineTool({
  name: 'git_grep',
  title: 'Grep',
  description: `Finds lines with a text in tracked files or in a revision; at most ${limit}.`,
  annotations: { readOnlyHint: true, openWorldHint: false },

  inputSchema: z.object({
    ...repositoryArgument,
    pattern: z.string().min(1).max(1_000),
    revision: z.string().optional(),
    paths: z.array(z.string()).optional(),
    ignore_case: z.boolean().default(false),
    regexp: z.boolean().default(false).describe('pattern is an extended regular expression'),
  }),

  async run(args, { repositories }: Git, { signal, progress }) {
    if (/[\0\n]/.test(args.pattern)) throw new Error('Invalid pattern: it contains a NUL or a line break');
    if (args.regexp && repetitions(args.pattern) > maxRepetitions)
      throw new Error(`Invalid pattern: more than ${maxRepetitions} repetitions in total; use * or +`);
    const revision = args.revision === undefined ? undefined : checkRevision(args.revision);
    const repository = repositories.at(args.repo_path);
    const { top } = await repository.layout();
    const linked = new SymlinkedPaths(top);
    const paths = workTreePaths(args.paths ?? [], top);
    const command = grep({
      pattern: args.pattern,
      revision,
      paths,
      ignoreCase: args.ignore_case,
      regexp: args.regexp,
      max: limit,
      skip: revision === undefined ? (path) => linked.has(path) : undefined,
    });
    const { matches, more } = await repository.run(command, { signal, progress });
    const lines = matches.map(({ path, line, text }) => `${listedPath(path)}:${line}: ${displayText(text)}`);
    if (lines.length === 0) {
      await assertTracked(repository, paths, revision, { signal });
      return 'No matches';
    }
    const count = more
      ? `… more than ${limit} match; narrow the pattern or the paths`
      : countText(lines.length, 'match', 'matches');
    return [...lines, count].join('\n');
  },
});

/** The largest number of repetitions of a pattern, as if all its counts were nested. */
function repetitions(pattern: string): number {
  const counts = [...pattern.matchAll(/\{(\d*),?(\d*)\}/g)];
  return counts.reduce((all, [, from, to]) => all * Math.max(1, Number(from), Number(to)), 1);
}

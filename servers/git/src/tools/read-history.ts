import * as z from 'zod';
import { commitHash, readLogPage, readRefs, type Repository, workTreePath } from '@mcp/safe-git';
import { filterArguments, filterOf } from '../input/log-filter.ts';
import { viewTool } from '../input/view-tool.ts';
import { commitFacts } from '../text/facts.ts';

const maxRefs = 500;

/** By this tool, the view reads the graph of commits. */
export const readHistory = viewTool({
  name: 'read_history',
  title: 'Read history',
  description: 'Returns commits, and with the first page the branches and tags, to the view.',
  args: {
    ...filterArguments,
    follow: z.boolean().default(false),
    limit: z.int().min(1).max(500).default(100),
    cursor: z.string().optional(),
  },

  async run(repository, { limit: max, path, follow, cursor, ...given }) {
    const filter = filterOf({ ...given, path, follow });
    const { top } = await repository.layout();
    const options = {
      ...filter,
      max,
      follow,
      path: path === undefined ? undefined : workTreePath(path, top),
    };
    const { commits, nextCursor } = await readLogPage(repository, options, cursor);
    return {
      commits: commits.map((commit) => commitFacts(commit, false)),
      next_cursor: nextCursor,
      ...(cursor === undefined && (await namesIn(repository))),
    };
  },
});

/** The branches and tags by the hashes of their commits. */
async function namesIn(repository: Repository): Promise<object> {
  const page = { offset: 0, limit: maxRefs };
  const [head, branches, tags] = await Promise.all([
    repository.run(commitHash('HEAD')),
    readRefs(repository, { kind: 'all' }, page),
    readRefs(repository, { kind: 'tags' }, page),
  ]);
  const refs = [...branches.refs, ...tags.refs].map(({ name, full, hash, current }) => {
    const kind = full.startsWith('refs/tags/') ? 'tag' : full.startsWith('refs/heads/') ? 'branch' : 'remote';
    return { name, kind, hash, ...(current && { current }) };
  });
  return { head, refs };
}

import * as z from 'zod';
import {
  authorsText,
  checkRevision,
  dateLimit,
  noCommitsText,
  readAuthors,
  workTreePath,
} from '@mcp/safe-git';
import { repositoryTool } from '../input/repository-tool.ts';
import { authorFacts, authorsSchema, listFacts } from '../text/facts.ts';

export const gitShortlog = repositoryTool({
  name: 'git_shortlog',
  title: 'Authors',
  description:
    'Lists authors with their commits and dates and, with path, how many lines of the file are theirs today.',
  annotations: { readOnlyHint: true, openWorldHint: false },

  args: {
    path: z.string().optional(),
    revision: z.string().default('HEAD'),
    start_timestamp: z.string().optional(),
    end_timestamp: z.string().optional(),
  },

  facts: authorsSchema,

  async run(repository, { path, revision, start_timestamp: since, end_timestamp: until }) {
    const options = {
      from: checkRevision(revision),
      path: path === undefined ? undefined : workTreePath(path, (await repository.layout()).top),
      since: since === undefined ? undefined : dateLimit(since, 'start'),
      until: until === undefined ? undefined : dateLimit(until, 'end'),
    };
    const authors = await readAuthors(repository, options);
    const text = authors.length === 0 ? await noCommitsText(repository, options) : authorsText(authors);
    return { text, facts: listFacts('authors', authors.map(authorFacts)) };
  },
});

import * as z from 'zod';
import { operationIn, status, workTreePaths } from '@mcp/safe-git';
import { viewTool } from '../input/view-tool.ts';
import { statusFacts } from '../text/facts.ts';

/** More files are not sent to the view. */
const maxFiles = 5_000;

/** By this tool, the view reads what is staged and what is not. */
export const readStatus = viewTool({
  name: 'read_status',
  title: 'Read status',
  description: 'Returns HEAD and the changed files to the view.',
  args: { paths: z.array(z.string()).optional() },

  async run(repository, { paths = [] }, { context: { repositories } }) {
    const layout = await repository.layout();
    const { trusted } = repository;
    const found = await repository.run(status({ trusted, paths: workTreePaths(paths, layout.top) }));
    const page = { files: found.entries.slice(0, maxFiles), next: undefined };
    return {
      ...statusFacts(found, operationIn(layout), page),
      writable: !repositories.context.readOnly,
    };
  },
});

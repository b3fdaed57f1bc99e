import * as z from 'zod';
import {
  checkObjectName,
  pathInRevision,
  shownObjectText,
  showObject,
  untrackedOfStash,
  workTreePaths,
} from '@mcp/safe-git';
import { repositoryTool } from '../input/repository-tool.ts';
import { shownFacts, shownSchema } from '../text/object-facts.ts';
import { repositoryView } from '../views.ts';

export const gitShow = repositoryTool({
  name: 'git_show',
  title: 'Show',
  description:
    'Shows a commit with its diff to its first parent, a tag, a stash, or a file or directory as revision:path. In pages.',
  annotations: { readOnlyHint: true, openWorldHint: false },
  view: repositoryView,

  args: {
    revision: z.string(),
    paths: z.array(z.string()).optional().describe('Only these files and directories'),
    stat: z.boolean().default(false).describe('Only line counts per file'),
    cursor: z.string().optional(),
  },

  facts: shownSchema,

  async run(repository, { revision, paths, stat, cursor }, { context: { structured: rows } }) {
    const colon = revision.indexOf(':');
    const { top } = await repository.layout();
    const path = colon < 1 ? '' : revision.slice(colon + 1);
    const named = path === '' ? revision : `${revision.slice(0, colon)}:${pathInRevision(path, top)}`;
    const options = { cursor, stat, paths: workTreePaths(paths ?? [], top), rows };
    const shown = await showObject(repository, checkObjectName(named), options);
    const text = shownObjectText(shown, cursor === undefined);
    const untracked = await untrackedOfStash(repository, shown, options);
    const facts = shownFacts(shown, cursor === undefined);
    return { text: untracked === undefined ? text : `${text}\n\n${untracked}`, facts };
  },
});

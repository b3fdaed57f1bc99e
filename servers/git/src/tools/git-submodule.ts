import * as z from 'zod';
import {
  countedList,
  readSubmodules,
  shownUrl,
  type Submodule,
  submoduleLine,
  submoduleUpdateLine,
  updateSubmodule,
  workTreePath,
} from '@mcp/safe-git';
import { repositoryTool } from '../input/repository-tool.ts';
import { listFacts, submoduleFacts, submodulesSchema } from '../text/facts.ts';

export const gitSubmodule = repositoryTool({
  name: 'git_submodule',
  title: 'Submodules',
  description:
    'Lists submodules, or updates them to the commits that the index names; clones what is missing if remotes are allowed. Work in one with its path as repo_path.',
  annotations: { destructiveHint: false, openWorldHint: true },

  args: {
    action: z.enum(['list', 'update']).default('list'),
    path: z.string().optional().describe('Only this one'),
  },

  facts: submodulesSchema,

  async run(repository, { action, path }, call) {
    const { repositories } = call.context;
    const { top } = await repository.layout();
    const inside = path === undefined ? undefined : workTreePath(path, top);
    const submodules = await readSubmodules(repositories, repository, inside);
    const factsOf = (all: readonly Submodule[]) =>
      listFacts(
        'submodules',
        all.map((each) => submoduleFacts(each, shownUrl)),
      );
    if (submodules.length === 0) return { text: 'No submodules', facts: factsOf([]) };
    if (action === 'list')
      return { text: countedList(submodules.map(submoduleLine), 'submodule'), facts: factsOf(submodules) };
    const lines: string[] = [];
    for (const submodule of submodules)
      lines.push(submoduleUpdateLine(await updateSubmodule(repositories, repository, submodule)));
    const now = await readSubmodules(repositories, repository, inside);
    return { text: countedList(lines, 'submodule'), facts: factsOf(now) };
  },
});

import * as z from 'zod';
import {
  countedList,
  readSubmodules,
  submoduleLine,
  submoduleUpdateLine,
  updateSubmodule,
  workTreePath,
} from '@mcp/safe-git';
import { repositoryTool } from '../input/repository-tool.ts';

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

  async run(repository, { action, path }, call) {
    const { repositories } = call.context;
    const { top } = await repository.layout();
    const inside = path === undefined ? undefined : workTreePath(path, top);
    const submodules = await readSubmodules(repositories, repository, inside);
    if (submodules.length === 0) return 'No submodules';
    if (action === 'list') return countedList(submodules.map(submoduleLine), 'submodule');
    const lines: string[] = [];
    for (const submodule of submodules)
      lines.push(submoduleUpdateLine(await updateSubmodule(repositories, repository, submodule)));
    return countedList(lines, 'submodule');
  },
});

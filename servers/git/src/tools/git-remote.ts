import { defineTool } from '@mcp/protocol';
import * as z from 'zod';
import type { AllowedDirectories } from '../backend/access/allowed-directories.ts';
import { parseRemoteUrl } from '../backend/access/remote-url.ts';
import { changeRemote, type RemoteChange } from '../backend/commands/change-remote.ts';
import { checkRefName } from '../backend/commands/validate-revision.ts';
import { displayName } from '../backend/display-name.ts';
import type { Repository } from '../backend/repository.ts';
import type { Git } from '../context.ts';
import { repositoryArgument } from '../input/repository-argument.ts';
import { countedList } from '../text/count-text.ts';

export const gitRemote = defineTool({
  name: 'git_remote',
  title: 'Remotes',
  description: 'Lists or changes the remotes. Returns the list.',
  annotations: { destructiveHint: false, openWorldHint: false },

  inputSchema: z.object({
    ...repositoryArgument,
    action: z.enum(['list', 'add', 'set-url', 'rename', 'remove']).default('list'),
    name: z.string().optional(),
    url: z.string().optional(),
    to: z.string().optional().describe('The new name'),
  }),

  async run({ repo_path, action, name, url, to }, { repositories }: Git, { signal }) {
    const repository = repositories.at(repo_path);
    if (action !== 'list') {
      const change = checkChange(action, { name, url, to }, repository.allowed);
      const before = (await remotesOf(repository)).find((remote) => remote.name === change.name);
      await repository.run(changeRemote(change), { signal });
      const was = before && action !== 'rename' ? [`was ${shownUrl(before.url)}`] : [];
      return [...was, await listText(repository)].join('\n');
    }
    return listText(repository);
  },
});

interface Arguments {
  readonly name?: string | undefined;
  readonly url?: string | undefined;
  readonly to?: string | undefined;
}

function checkChange(
  action: RemoteChange['action'],
  args: Arguments,
  allowed: AllowedDirectories,
): RemoteChange {
  const name = checkRefName(required('name', args.name), 'remote');
  if (action === 'remove') return { action, name };
  if (action === 'rename') return { action, name, to: checkRefName(required('to', args.to), 'remote') };
  const url = required('url', args.url);
  parseRemoteUrl(url, allowed);
  return { action, name, url };
}

function required(what: string, value: string | undefined): string {
  if (value === undefined) throw new Error(`Missing ${what} of the remote`);
  return value;
}

/** The remotes with their configured URLs, sorted by name. */
async function remotesOf(repository: Repository): Promise<{ name: string; url: string }[]> {
  const settings = await repository.settings();
  const urls = settings.flatMap(({ key, value }) => {
    const [, name] = /^remote\.(.*)\.url$/s.exec(key) ?? [];
    return name === undefined ? [] : [{ name, url: value ?? '' }];
  });
  return urls.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

async function listText(repository: Repository): Promise<string> {
  const remotes = await remotesOf(repository);
  if (remotes.length === 0) return 'No remotes';
  const lines = remotes.map(({ name, url }) => `${displayName(name)} ${shownUrl(url)}`);
  return countedList(lines, 'remote');
}

/** Without the password that a URL may contain. */
function shownUrl(url: string): string {
  return displayName(url.replace(/^([a-z+]+:\/\/[^/@:]*):[^/@]*@/, '$1:…@'));
}

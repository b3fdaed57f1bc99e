import * as z from 'zod';
import {
  type AllowedDirectories,
  changeRemote,
  checkRefName,
  parseRemoteUrl,
  type RemoteChange,
  remotesOf,
  remotesText,
  shownUrl,
} from '@mcp/safe-git';
import { repositoryTool, type Told } from '../input/repository-tool.ts';
import { listFacts, remoteFacts, remotesSchema } from '../text/facts.ts';

export const gitRemote = repositoryTool({
  name: 'git_remote',
  title: 'Remotes',
  description: 'Lists or changes the remotes. Returns the list.',
  annotations: { destructiveHint: false, openWorldHint: false },

  args: {
    action: z.enum(['list', 'add', 'set-url', 'rename', 'remove']).default('list'),
    name: z.string().optional(),
    url: z.string().optional(),
    to: z.string().optional().describe('The new name'),
  },

  facts: remotesSchema,

  async run(repository, { action, name, url, to }) {
    if (action !== 'list') {
      const change = checkChange(action, { name, url, to }, repository.allowed);
      const before = (await remotesOf(repository)).find((remote) => remote.name === change.name);
      await repository.run(changeRemote(change));
      const was = before && action !== 'rename' ? [`was ${shownUrl(before.url)}`] : [];
      return answerOf(await remotesOf(repository), was);
    }
    return answerOf(await remotesOf(repository), []);
  },
});

function answerOf(remotes: Awaited<ReturnType<typeof remotesOf>>, first: readonly string[]): Told {
  const rows = remotes.map((remote) => remoteFacts(remote, shownUrl));
  return { text: [...first, remotesText(remotes)].join('\n'), facts: listFacts('remotes', rows) };
}

function checkChange(
  action: RemoteChange['action'],
  args: { readonly [name in 'name' | 'url' | 'to']: string | undefined },
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

import { revisions } from '@mcp/protocol/client';
import { bytesWithoutViews, type ListedRequest } from '@mcp/test-kit';
import { expect, test } from 'vitest';
import { skills } from '../src/skills.ts';
import { Workspace } from './workspace.ts';

const requests: readonly ListedRequest[] = [
  ['resources/read', { uri: 'ui://git/repository' }],
  ['tools/call', { name: 'git_log', arguments: { full: true } }],
  ['tools/call', { name: 'git_status', arguments: {} }],
  ['tools/call', { name: 'git_diff_unstaged', arguments: {} }],
  ['tools/call', { name: 'git_show', arguments: { revision: 'HEAD' } }],
  ['tools/call', { name: 'git_blame', arguments: { path: 'a.txt' } }],
  ['tools/call', { name: 'read_history', arguments: {} }],
  ['tools/call', { name: 'unstage_lines', arguments: {} }],
];

test.each(revisions)(
  'at %s, clients without views get the bytes of a server that has none',
  async (revision) => {
    using workspace = await Workspace.create({ 'a.txt': 'a\n' });
    workspace.put('a.txt', 'b\n');
    const server = workspace.serve();
    const { sent, bare } = await bytesWithoutViews(server, { revision, requests, extensions: [skills] });
    expect(sent).toBe(bare);
  },
);

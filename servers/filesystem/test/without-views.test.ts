import { revisions } from '@mcp/protocol/client';
import { bytesWithoutViews, type ListedRequest } from '@mcp/test-kit';
import { expect, test } from 'vitest';
import { filesystem } from '../src/server.ts';
import { skills } from '../src/skills.ts';
import { Workspace } from './workspace.ts';

const requests: readonly ListedRequest[] = [
  ['resources/read', { uri: 'ui://filesystem/files' }],
  ['tools/call', { name: 'directory_tree', arguments: { path: '.' } }],
  ['tools/call', { name: 'list_directory_with_sizes', arguments: { path: '.' } }],
  ['tools/call', { name: 'read_text_file', arguments: { path: 'a.txt' } }],
  [
    'tools/call',
    {
      name: 'edit_file',
      arguments: { path: 'a.txt', edits: [{ oldText: 'a', newText: 'b' }], dryRun: true },
    },
  ],
  ['tools/call', { name: 'read_sizes', arguments: { path: '.' } }],
  ['tools/call', { name: 'read_lines', arguments: { path: 'a.txt' } }],
];

test.each(revisions)(
  'at %s, clients without views get the bytes of a server that has none',
  async (revision) => {
    using workspace = new Workspace({ 'a.txt': 'a\n' });
    const server = filesystem({ directories: [workspace.root] });
    const { sent, bare } = await bytesWithoutViews(server, { revision, requests, extensions: [skills] });
    expect(sent).toBe(bare);
  },
);

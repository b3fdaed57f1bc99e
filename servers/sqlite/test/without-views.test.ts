import { revisions } from '@mcp/protocol/client';
import { bytesWithoutViews, type ListedRequest } from '@mcp/test-kit';
import { expect, test, vi } from 'vitest';
import { skills } from '../src/skills.ts';
import { shareProcesses, Workspace } from './workspace.ts';

shareProcesses();

const requests: readonly ListedRequest[] = [
  ['resources/read', { uri: 'ui://sqlite/database' }],
  ['tools/call', { name: 'query', arguments: { sql: 'SELECT * FROM orders' } }],
  ['tools/call', { name: 'query', arguments: { sql: 'SELECT * FROM customers', limit: 2, format: 'json' } }],
  ['tools/call', { name: 'describe_table', arguments: { table: 'orders' } }],
  [
    'tools/call',
    { name: 'write', arguments: { sql: 'UPDATE orders SET total = 1 WHERE id = 1', dry_run: true } },
  ],
  ['tools/call', { name: 'read_result', arguments: { sql: 'SELECT 1' } }],
  ['tools/call', { name: 'read_resul', arguments: {} }],
];

vi.setConfig({ testTimeout: 20_000 });

test.each(revisions)(
  'at %s, clients without views get the bytes of a server that has none',
  async (revision) => {
    using workspace = new Workspace();
    const server = workspace.serve({ allowWrite: true });
    const { sent, bare } = await bytesWithoutViews(server, { revision, requests, extensions: [skills] });
    const timeless = (text: string) => text.replaceAll(/(elapsedMs\\*":)[\d.]+/g, '$10');
    expect(timeless(sent)).toBe(timeless(bare));
  },
);

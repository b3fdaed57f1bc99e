import { expect, test } from 'vitest';
import { callTool, sh, Workspace } from '../../test/workspace.ts';

const textOf = (read: { readonly contents: readonly object[] }) =>
  (read.contents[0] as { text: string }).text;

test.each(['2025-11-25', '2026-07-28'])(
  'the last result of each command is a resource, and its change is notified, at %s',
  async (revision) => {
    using workspace = new Workspace({ one: sh('echo 1'), two: sh('echo 2') });
    await using client = await workspace.connect({}, { revision });
    expect((await client.listResources()).map(({ uri }) => uri)).toEqual(['run://one', 'run://two']);
    expect(textOf(await client.readResource('run://one'))).toBe('one has not been run yet');
    let changes = 0;
    const heard = Promise.withResolvers<void>();
    await client.subscribe('run://one', () => {
      changes++;
      heard.resolve();
    });
    const { text } = await callTool(client, 'two');
    expect(textOf(await client.readResource('run://two'))).toBe(text);
    expect(changes).toBe(0);
    const answer = await callTool(client, 'one');
    await heard.promise;
    expect(textOf(await client.readResource('run://one'))).toBe(answer.text);
    expect(textOf(await client.readResource('run://one/output'))).toBe('1\n');
    await expect(client.readResource('run://onee')).rejects.toThrow(
      'No such command: "onee"; did you mean "one"?',
    );
  },
);

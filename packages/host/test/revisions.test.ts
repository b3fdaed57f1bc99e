import { revisions } from '@mcp/protocol/client';
import { afterAll, expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

const workspace = new Workspace();
afterAll(() => workspace[Symbol.dispose]());

const lines = [
  'tools fix --grep echo',
  'show fix.echo',
  'call fix.echo text=Hello suffix=!',
  'call fix.fail',
  'resources fix',
  'read fix note:///first',
  'prompts fix',
  'prompt fix.greet language=french',
  'complete fix.greet language=e',
  'complete fix/note:///{id} id=f',
];

test('the same words print the same at every revision', async () => {
  const [latest, ...older] = await Promise.all(
    revisions.map(async (revision) => {
      const input = [...lines, '--json ping fix'].map((line) => `${line}\n`).join('');
      const { stdout, stderr } = await workspace.mcp(['shell', '--revision', revision], { input });
      const printed = stdout.trimEnd().replaceAll(`--revision ${revision}`, '--revision').split('\n');
      expect(JSON.parse(printed.pop()!)).toMatchObject({ fix: { revision } });
      return { stdout: printed, stderr };
    }),
  );
  expect(older).toHaveLength(4);
  for (const each of older) expect(each).toEqual(latest);
  expect(latest!.stdout).toEqual(
    expect.arrayContaining(['Hello!', 'It failed', 'Note first', 'user:', 'Greet me in french.', 'estonian']),
  );
  expect(latest!.stderr).toBe('');
});

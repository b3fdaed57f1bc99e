import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { commands } from '../src/commands/commands.ts';
import { exitCodes } from '../src/errors.ts';
import { matches } from './session-pattern.ts';
import { type Session, sessionsOf } from './sessions.ts';
import { SessionWorkspace } from './session-workspace.ts';

const textOf = (path: string) => readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8');
const readme = textOf('../README.md');
const workspace = new SessionWorkspace();
afterAll(() => workspace[Symbol.dispose]());

describe.each(['../README.md', '../../../docs/clone.md'])('the sessions of %s', (path) => {
  const sessions = sessionsOf(textOf(path));

  test('there is at least one', () => {
    expect(sessions.length).toBeGreaterThan(0);
  });

  test.each(sessions.map((session): [string, Session] => [session.command, session]))(
    '%s prints what the document shows',
    async (_, session) => {
      const printed = await workspace.run(session);
      expect(matches(printed, session.output), `printed:\n${printed}\nshown:\n${session.output}`).toBe(true);
    },
  );
});

test('the table of exit codes has those of the program', () => {
  const [, table = ''] = readme.split('## Exit codes\n');
  const codes = [...table.matchAll(/^\| (\d+) +\|/gm)].map(([, code]) => Number(code));
  expect(codes).toEqual(Object.values(exitCodes));
});

test('the table of commands names each of them', () => {
  const [, table = ''] = readme.split('## Commands\n');
  for (const { name } of commands)
    expect(table, name).toMatch(new RegExp(`^\\| .*\`(?:mcp )?${name}\\b`, 'm'));
});

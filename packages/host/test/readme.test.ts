import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { matches } from './session-pattern.ts';
import { type Session, sessionsOf } from './sessions.ts';
import { SessionWorkspace } from './session-workspace.ts';

const workspace = new SessionWorkspace();
afterAll(() => workspace[Symbol.dispose]());

describe.each(['../README.md', '../../../docs/clone.md'])('the sessions of %s', (path) => {
  const sessions = sessionsOf(readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8'));

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

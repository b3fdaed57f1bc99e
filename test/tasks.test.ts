import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { repository } from './server-program.ts';
import { performOurs } from './tasks/perform.ts';
import { listedCalls } from './tasks/table.ts';
import { taskSets } from './tasks/task-sets.ts';

describe.each(Object.entries(taskSets))('%s', (server, set) => {
  const listed = listedCalls(readFileSync(join(repository, 'servers', server, 'README.md'), 'utf8'));

  test.each(set.tasks.map((task) => [task.id, task.instruction, task] as const))(
    '%s: the server completes the task "%s" with the calls that its README lists',
    async (id, _wish, task) => {
      const { calls } = await performOurs(set, task);
      expect(calls).toBe(listed.get(id));
    },
  );

  test('the README lists exactly the tasks', () => {
    expect([...listed.keys()]).toEqual(set.tasks.map(({ id }) => id));
  });
});

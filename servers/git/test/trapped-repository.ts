import { expect } from 'vitest';
import { age, clear, halvesOfWalk, mayFail, prepared } from './tool-walk.ts';
import { type Trap, traps } from './traps.ts';
import type { Workspace } from './workspace.ts';

/** A repository with traps, in which every file looks changed, so that git reads it. */
export async function withTraps(...traps: readonly Trap[]): Promise<Workspace> {
  const workspace = await prepared();
  for (const { id, configure } of traps)
    await configure(workspace, workspace.program(id.replaceAll(' ', '-')));
  clear(workspace);
  workspace.put('a.txt', 'one\ntwo\nthree\n');
  age(workspace);
  return workspace;
}

/** The repositories of these names with all their traps, each with each half of the walk. */
export function withHalves(wanted: (repository: Trap['repository']) => boolean) {
  const shared = Map.groupBy(
    traps.filter(({ repository }) => wanted(repository)),
    ({ repository }) => repository,
  );
  return [...shared.values()].flatMap((together) =>
    halvesOfWalk.map((calls) => ({
      together,
      calls,
      ids: together.map(({ id }) => id).join(' '),
      programs: together.map(({ what }) => what).join('; '),
      first: `${calls.length} calls from ${calls[0]![0]} on`,
    })),
  );
}

/** Makes the calls in a repository with the traps, and expects that none is sprung. */
export async function expectNoneRun({
  together,
  calls,
}: ReturnType<typeof withHalves>[number]): Promise<void> {
  using workspace = await withTraps(...together);
  await using client = await workspace.connect({ history: true });
  // A file that a filter would change is not staged, so that later calls have nothing to do.
  let refused = false;
  for (const [tool, args] of calls) {
    const { isError, content } = await client.callTool(tool, args);
    expect(workspace.executed, `${tool} ${JSON.stringify(args)}`).toEqual([]);
    refused ||= JSON.stringify(content).includes(
      'Refused: the filters of an untrusted repository do not run',
    );
    if (!refused && !mayFail(tool, args))
      expect(isError ? content : '', `${tool} ${JSON.stringify(args)}`).toBe('');
  }
  expect(refused).toBe(together.some(({ what }) => /filter(?!.*smudge)/.test(what)));
}

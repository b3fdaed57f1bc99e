import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { symlinkSync, writeFileSync } from 'node:fs';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { modes } from './modes.ts';
import { Workspace } from './workspace.ts';

// They write thousands of times.
vi.setConfig({ testTimeout: 120_000 });

const directories = ['a', 'a/inner', 'b', 'b/inner'];
const files = directories.flatMap((directory) => [1, 2, 3, 4, 5].map((file) => `${directory}/${file}`));

const file = fc.constantFrom(...files);
const directory = fc.constantFrom(...directories);
const operation = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(fc.constantFrom('write', 'append', 'replace', 'delete', 'link'), file) },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.constantFrom('remove', 'remake', 'leave', 'return', 'swap'), directory),
  },
  { weight: 2, arbitrary: fc.tuple(fc.constantFrom('turn', 'pause'), fc.constant('')) },
);

describe.each(modes)('random operations on twenty paths, %s', (_, options) => {
  test('the last state of each path is reported', async () => {
    const property = fc.asyncProperty(
      fc.array(operation, { minLength: 1, maxLength: 40 }),
      async (operations) => {
        using workspace = new Workspace({ ...options, settleMs: 5, maxWaitMs: 20 });
        for (const name of directories) mkdirSync(workspace.path(name), { recursive: true });
        const reported = new Map<string, string>();
        for (const name of files) {
          writeFileSync(workspace.path(name), name);
          reported.set(name, name);
        }
        await Promise.all(
          files.map((name) =>
            workspace.watcher.watch(
              workspace.path(name),
              () => void reported.set(name, state(workspace, name)),
            ),
          ),
        );

        for (const [index, [what, name]] of operations.entries())
          await act(workspace, what, name, `text ${index}`);

        const now = new Map(files.map((name) => [name, state(workspace, name)]));
        await vi.waitFor(() => expect(reported).toEqual(now), { timeout: 8000, interval: 5 });
      },
    );
    await fc.assert(property, { numRuns: 25, interruptAfterTimeLimit: 50_000 });
  });
});

function state(workspace: Workspace, name: string) {
  try {
    return readFileSync(workspace.path(name), 'utf8');
  } catch {
    return 'missing';
  }
}

/** Performs one operation, if it is possible. */
async function act(workspace: Workspace, what: string, name: string, text: string): Promise<void> {
  if (what === 'turn') return turnOfTheLoop();
  if (what === 'pause') return workspace.quiet();
  try {
    change(workspace, what, name, text);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (!['ENOENT', 'ENOTDIR', 'EEXIST', 'ENOTEMPTY', 'EISDIR', 'ELOOP'].includes(code ?? '')) throw error;
  }
}

function change(workspace: Workspace, what: string, name: string, text: string) {
  const path = workspace.path(name);
  const aside = workspace.path(`${name.replaceAll('/', ' ')} aside`);
  switch (what) {
    case 'write':
      return writeFileSync(path, text);
    case 'append':
      return appendFileSync(path, text);
    case 'replace':
      writeFileSync(aside, text);
      return renameSync(aside, path);
    case 'delete':
      return rmSync(path);
    case 'link':
      rmSync(path, { force: true });
      return symlinkSync(workspace.path('b', 'inner', '1'), path);
    case 'remove':
      return rmSync(path, { recursive: true });
    case 'remake':
      rmSync(path, { recursive: true, force: true });
      mkdirSync(path);
      return writeFileSync(`${path}/1`, text);
    case 'leave':
      return renameSync(path, aside);
    case 'return':
      return existsSync(path) ? undefined : renameSync(aside, path);
    case 'swap':
      mkdirSync(`${aside} new`);
      writeFileSync(`${aside} new/1`, text);
      renameSync(path, `${aside} ${text}`);
      return renameSync(`${aside} new`, path);
    default:
      throw new Error(`Unknown operation: "${what}"`);
  }
}

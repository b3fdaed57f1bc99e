import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { Client } from '@mcp/protocol/client';
import { type SpawnedServer, spawnServer } from '@mcp/protocol/stdio';
import { everyFault, Faults, noCompiler, TemporaryDirectory } from '@mcp/test-kit';
import { expect, test, vi } from 'vitest';
import { program } from './program.ts';

// It repeats each change for each call that may fail.
vi.setConfig({ testTimeout: 300_000 });

const { EIO, ENOSPC } = constants.errno;
const depth = 3 * Number(process.env['GENERATED_TIMES'] ?? 1);

const home = { saved: 'home', latitude: 52.52, longitude: 13.41 };
const office = { saved: 'office', latitude: 48.85, longitude: 2.35 };

const changes = [
  { tool: 'save_place', args: { name: 'office', place: '48.85,2.35' }, after: [home, office] },
  { tool: 'remove_place', args: { name: 'home' }, after: [] },
];

/** The built server, which keeps its places in a directory, and is started anew after it was killed. */
class Restarted implements AsyncDisposable {
  readonly #start: () => SpawnedServer;
  #server: SpawnedServer | undefined;
  #client: Client | undefined;

  constructor(data: string, env: Readonly<Record<string, string>>) {
    const args = [program, '--demo', '--data', data];
    this.#start = () => spawnServer({ command: process.execPath, args, env });
  }

  /** The text of the answer; undefined if the server was killed. */
  async say(tool: string, args: Record<string, unknown>): Promise<string | undefined> {
    this.#server ??= this.#start();
    try {
      this.#client ??= await Client.connect(this.#server.channel);
      const { content, isError } = await this.#client.callTool(tool, args);
      return (
        (isError ? 'ERROR ' : '') + content.map((block) => (block.type === 'text' ? block.text : '')).join()
      );
    } catch {
      expect(await this.#server.exited).toMatchObject({ signal: 'SIGKILL' });
      this.#server = this.#client = undefined;
      return undefined;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client?.close();
    await this.#server?.stop();
  }
}

test('whatever call fails, places are saved and removed or not, as the answer says', async (context) => {
  using workspace = new TemporaryDirectory('weather');
  const data = join(workspace.root, 'data');
  const file = join(data, 'places.json');
  using faults = Faults.compile(workspace.base, data);
  if (!faults) return context.skip(noCompiler);
  await using server = new Restarted(data, faults.env);
  const saved = () => (JSON.parse(readFileSync(file, 'utf8')) as { places: unknown[] }).places;
  const count = { refused: 0, done: 0, killed: 0 };
  for (const { tool, args, after } of changes)
    await everyFault([EIO, ENOSPC, 'kill'], depth, async (fault) => {
      rmSync(data, { recursive: true, force: true });
      mkdirSync(data);
      writeFileSync(file, JSON.stringify({ version: 1, places: [home] }));
      const { result: said, occurred } = await faults.during(fault, () => server.say(tool, args));
      const what = `${tool} with ${JSON.stringify(fault)}: ${said}`;
      const isDone = said?.startsWith('ERROR') === false;
      if (said !== undefined || saved().length === 1)
        expect(saved(), what).toMatchObject(isDone ? after : [home]);
      else expect(saved(), what).toMatchObject(after);
      expect(said ?? '', what).not.toContain('.tmp');
      // Whatever was left, the next change is made: a lock of a killed server, for example, does not count.
      expect(await server.say('save_place', { name: 'last', place: '1,1' }), what).toMatch(/^Saved "last"/);
      expect(saved().at(-1), what).toMatchObject({ saved: 'last' });
      count[said === undefined ? 'killed' : isDone ? 'done' : 'refused'] += Number(occurred);
      return occurred;
    });
  expect(count.refused).toBeGreaterThan(30);
  expect(count.killed).toBeGreaterThan(10);
  expect(count.done).toBeGreaterThan(5);
});

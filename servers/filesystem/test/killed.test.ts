import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, watch } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

const program = fileURLToPath(new URL('../dist/main.cjs', import.meta.url));
/** The directory in which servers record the temporary files that they create. */
const notes = join(tmpdir(), `mcp-server-filesystem-${process.geteuid?.() ?? -1}`);
const names = ['a.txt', 'b.txt'];
const rounds = 4;
/** How many servers are killed during a write. */
const kills = 50 * Number(process.env['GENERATED_TIMES'] ?? 1);
const writes = names.length * rounds;

const clientInfo = { name: 'test', version: '1.0.0' };
const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };

function line(id: string, method: string, params: object): string {
  return `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
}

/** The content of one write, unique for each server, name and round. */
function content(server: number, name: string, round: number): string {
  return `${server} ${name} ${round}\n`.repeat(4000);
}

interface Killed {
  /** The number of answered writes for each file. */
  readonly answered: ReadonlyMap<string, number>;
  readonly interrupted: boolean;
}

/** Starts a server, requests several writes of each file, and kills it after some answers or changes. */
async function killWriting(
  server: number,
  directory: string,
  { answers = writes, changes = Infinity }: { answers?: number; changes?: number },
): Promise<Killed> {
  const answered = new Map(names.map((name) => [name, 0]));
  const problems: string[] = [];
  let [seen, received] = [0, 0];
  const child = spawn(process.execPath, [program, directory], { stdio: ['pipe', 'pipe', 'inherit'] });
  const watcher = watch(directory, () => {
    if (++seen === changes) child.kill('SIGKILL');
  });
  const lines = createInterface({ input: child.stdout }).on('line', (answer) => {
    // The last line may be incomplete.
    if (!answer.endsWith('}}')) return;
    const { id, result } = JSON.parse(answer) as { id: string; result?: { isError?: boolean } };
    const [name = ''] = id.split(' ');
    if (!answered.has(name)) return;
    if (!result || result.isError) problems.push(answer);
    answered.set(name, answered.get(name)! + 1);
    if (++received === answers || received === writes) child.kill('SIGKILL');
  });
  child.stdin.on('error', () => {});
  const send = (...message: Parameters<typeof line>) => child.stdin.write(line(...message));
  send('hello', 'initialize', hello);
  for (let round = 0; round < rounds; round++) {
    for (const name of names) {
      const args = { path: name, content: content(server, name, round) };
      send(`${name} ${round}`, 'tools/call', { name: 'write_file', arguments: args });
    }
  }
  await Promise.all([once(child, 'close'), once(lines, 'close')]);
  watcher.close();
  expect(problems).toEqual([]);
  return { answered, interrupted: received < writes };
}

/** Returns a deterministic generator of numbers from 0 to 1. */
function numbers(seed: number): () => number {
  return () => {
    seed = (seed * 16_807) % (2 ** 31 - 1);
    return seed / (2 ** 31 - 1);
  };
}

test('servers killed during a write leave the old or the new content, and the next start removes temporary files', async () => {
  using workspace = new Workspace();
  let [servers, interrupted, unfinished] = [0, 0, 0];
  const others = (directory: string) => readdirSync(directory).filter((name) => !names.includes(name));

  async function killInTurn(seed: number): Promise<void> {
    const directory = join(workspace.root, String(seed));
    mkdirSync(directory);
    const random = numbers(seed);
    const before = new Map(names.map((name) => [name, 'old']));
    for (const name of names) workspace.put(join(String(seed), name), 'old');
    while (interrupted < kills) {
      const server = ++servers;
      expect(server).toBeLessThan(5 * kills);
      // Each write changes the directory at least four times.
      const when =
        random() < 0.5
          ? { answers: 1 + Math.floor(random() * (writes - 1)) }
          : { changes: 1 + Math.floor(random() * 4 * (writes - 1)) };
      const left = others(directory);
      const killed = await killWriting(server, directory, when);
      interrupted += Number(killed.interrupted);
      unfinished += others(directory).filter((name) => !left.includes(name)).length;
      for (const name of names) {
        const done = killed.answered.get(name)!;
        const possible = [done > 0 ? content(server, name, done - 1) : before.get(name)!];
        for (let round = done; round < rounds; round++) possible.push(content(server, name, round));
        const now = readFileSync(join(directory, name), 'utf8');
        expect(possible.includes(now), `${JSON.stringify(when)}: ${now.length} characters`).toBe(true);
        before.set(name, now);
      }
    }
  }

  await Promise.all([killInTurn(1), killInTurn(2)]);
  // Many servers were killed between the creation and the rename of a temporary file.
  expect(unfinished).toBeGreaterThan(kills / 10);

  const next = spawn(process.execPath, [program, workspace.root], { stdio: ['pipe', 'ignore', 'inherit'] });
  next.stdin.write(line('hello', 'initialize', hello));
  const rest = () => [1, 2].flatMap((seed) => others(join(workspace.root, String(seed))));
  await expect.poll(rest, { timeout: 20_000 }).toEqual([]);
  await expect.poll(() => notesOf(workspace), { timeout: 20_000 }).toEqual([]);
  next.stdin.end();
  await once(next, 'exit');
}, 300_000);

/** Returns the names of the notes about a workspace. */
function notesOf({ base }: Workspace): string[] {
  return readdirSync(notes).filter((note) => {
    try {
      return readFileSync(join(notes, note), 'utf8').startsWith(base);
    } catch {
      // Another server has removed its note.
      return false;
    }
  });
}

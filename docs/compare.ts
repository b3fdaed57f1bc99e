import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, revisions } from '@mcp/protocol/client';
import { serverCommand } from '@mcp/protocol/stdio';
import type { Contender } from '../test/tasks/contender.ts';
import { taskSets } from '../test/tasks/task-sets.ts';
import type { TaskSet } from '../test/tasks/task.ts';

// Asks the servers of this repository, and the servers of others that do the same, what they offer, and
// writes the answers into comparison.md: `node docs/compare.ts`, after `pnpm --dir bench install`.

const page = join(import.meta.dirname, 'comparison.md');
const begin = '<!-- servers: written by `node docs/compare.ts` -->';
const end = '<!-- /servers -->';

const tables: string[] = [];
for (const [name, set] of Object.entries(taskSets)) {
  const columns: (readonly [label: string, value: string])[][] = [];
  for (const contender of [set.ours, ...set.peers]) columns.push(await columnOf(set, contender));
  const titles = [`**${name}**`, 'here', ...set.peers.map((peer) => peer.name)];
  const labels = columns[0]!.map(([label]) => label);
  const rows = labels.map((label, index) => [label, ...columns.map((column) => column[index]![1])]);
  tables.push(
    [titles, titles.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n'),
  );
}
const text = readFileSync(page, 'utf8');
const [before, after] = [text.split(begin)[0], text.split(end)[1]];
writeFileSync(page, `${before}${begin}\n\n${tables.join('\n\n')}\n\n${end}${after}`);

/** What one server offers: the label and the value for each row of the server's comparison table. */
async function columnOf(set: TaskSet, contender: Contender): Promise<[label: string, value: string][]> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'compare-')));
  try {
    const world = join(base, 'world');
    await set.tasks[0]!.world(world);
    const { args, env } = contender.start(world);
    const connect = (options = {}) =>
      Client.connect(
        serverCommand({
          command: process.execPath,
          args: [...args],
          env: { ...env },
          cwd: world,
          stderr: 'ignore',
        }),
        options,
      );
    await using client = await connect();
    const capabilities = (client.capabilities ?? {}) as Readonly<
      Record<string, { readonly subscribe?: boolean }>
    >;
    const tools = await client.listTools();
    const templates = capabilities['resources'] ? await client.listResourceTemplates() : [];
    const prompts = capabilities['prompts'] ? await client.listPrompts() : [];
    const revisions = await revisionsOf(connect);
    const bytes = Buffer.byteLength(JSON.stringify(tools));
    return [
      ['tools', String(tools.length)],
      ['bytes of the list of tools', `${(bytes / 1000).toFixed(1)} kB`],
      ['tools with hints', String(tools.filter((tool) => tool.annotations).length)],
      ['resource templates', String(templates.length)],
      ['watched resources', capabilities['resources']?.subscribe ? 'yes' : 'no'],
      ['prompts', String(prompts.length)],
      ['completion', capabilities['completions'] ? 'yes' : 'no'],
      ['revisions of the protocol', String(revisions.length)],
      ['the newest of them', revisions.toSorted().at(-1) ?? 'none'],
    ];
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

/** The revisions of the protocol that a server accepts. */
async function revisionsOf(connect: (options: object) => Promise<Client>): Promise<readonly string[]> {
  const spoken: string[] = [];
  for (const revision of revisions) {
    try {
      await using client = await connect({ revision });
      if (client.revision === revision) spoken.push(revision);
    } catch {
      // The server refuses this revision.
    }
  }
  return spoken;
}

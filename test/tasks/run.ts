import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeTasks } from '../../docs/task-tables.ts';
import { repository } from '../server-program.ts';
import { performOurs, performPeer } from './perform.ts';
import type { Cost } from './session.ts';
import { markdownTable, withCosts, withTable, type Row } from './table.ts';
import { sumsIn, sumsText } from './sums.ts';
import { taskSets } from './task-sets.ts';
import type { Task, TaskSet } from './task.ts';

// Completes every task and prints the calls and bytes:
// `node test/tasks/run.ts [--peers [--write]] [server…]`.
// `--peers` measures the peers too, which `pnpm --dir bench install` brings; `--write` updates the READMEs
// and the page that compares.

const { values, positionals } = parseArgs({
  options: { peers: { type: 'boolean' }, write: { type: 'boolean' } },
  allowPositionals: true,
});
const unknown = positionals.find((name) => !(name in taskSets));
if (unknown !== undefined)
  fail(`Unknown server: "${unknown}"; known are ${Object.keys(taskSets).join(', ')}`);
if (values.write && !values.peers) fail('--write needs --peers, because the READMEs show both sides');

for (const [server, set] of Object.entries(taskSets)) {
  if (positionals.length > 0 && !positionals.includes(server)) continue;
  const peers = values.peers ? set.peers : [];
  const rows: Row[] = [];
  for (const task of set.tasks) rows.push(await rowOf(set, task, peers));
  const table = markdownTable(
    rows,
    peers.map(({ name }) => name),
  );
  console.log(`\n${server}\n\n${table}\n`);
  for (const sums of sumsIn(table)) console.log(sumsText(sums));
  for (const line of rows.flatMap(worse)) console.log(line);
  if (!values.write) continue;
  const readme = join(repository, 'servers', server, 'README.md');
  writeFileSync(readme, withTable(readFileSync(readme, 'utf8'), table));
  const translation = join(repository, 'servers', server, 'README.zh-CN.md');
  writeFileSync(translation, withCosts(readFileSync(translation, 'utf8'), table));
}
if (values.write) writeTasks();

async function rowOf(set: TaskSet, task: Task, peers: TaskSet['peers']): Promise<Row> {
  const ours = await performOurs(set, task);
  const costs: Record<string, Cost | string> = {};
  for (const peer of peers) costs[peer.name] = await performPeer(peer, task);
  return { task, ours, peers: costs };
}

/** A line for each peer that completes a task with fewer calls or bytes. */
function worse({ task, ours, peers }: Row): string[] {
  return Object.entries(peers).flatMap(([name, cost]) => {
    if (typeof cost === 'string') return [];
    const more = (['calls', 'sent', 'received'] as const).filter((part) => ours[part] > cost[part]);
    if (more.length === 0) return [];
    return `${task.id}: more ${more.join(' and ')} than ${name}${task.exception ? `: ${task.exception}` : ''}`;
  });
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

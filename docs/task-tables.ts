import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Sum, sumsIn } from '../test/tasks/sums.ts';

// The tables of tasks in comparison.md, from those in the READMEs of the servers: `node docs/task-tables.ts`
// writes them, and so does `node test/tasks/run.ts --peers --write`, which measures.

const root = join(import.meta.dirname, '..');
const page = join(import.meta.dirname, 'comparison.md');

/** The tasks of a server that the page shows. */
const chosen: Readonly<Record<string, readonly string[]>> = {
  filesystem: ['F02', 'F07', 'F14', 'F18', 'F20', 'F24', 'F26'],
  sqlite: ['S01', 'S03', 'S05', 'S08', 'S11', 'S12', 'S14'],
};

/** The page with its tables as they are in the READMEs. Throws if the page lacks the lines around a table. */
export function withTasks(text: string): string {
  const tables = Object.entries(chosen).map(([name, ids]) => [name, tasks(name, ids)] as const);
  return [['sums', sums(['filesystem', 'git', 'sqlite', 'weather'])] as const, ...tables].reduce(
    (whole, [name, table]) => {
      const [begin, end] = [
        `<!-- tasks ${name}: written by \`node docs/task-tables.ts\` -->`,
        `<!-- /tasks ${name} -->`,
      ];
      const [before, after] = [whole.split(begin)[0]!, whole.split(end)[1]];
      if (!whole.includes(begin) || after === undefined)
        throw new Error(`The page has no lines "${begin}" and "${end}"`);
      return `${before}${begin}\n\n${table}\n\n${end}${after}`;
    },
    text,
  );
}

/** Writes the tables into the page. */
export function writeTasks(): void {
  writeFileSync(page, withTasks(readFileSync(page, 'utf8')));
}

/** The table of measured tasks in the README of a server. */
function measured(name: string): string {
  const readme = readFileSync(join(root, `servers/${name}/README.md`), 'utf8');
  const [, table = ''] = /<!-- tasks: .*-->\n\n([\s\S]*?)\n<!-- \/tasks -->/.exec(readme) ?? [];
  return table.trim();
}

/** Some rows of that table. */
function tasks(name: string, ids: readonly string[]): string {
  const [head, rule, ...rows] = measured(name).split('\n');
  const found = rows.filter((row) => ids.some((id) => row.startsWith(`| ${id} |`)));
  if (found.length !== ids.length) throw new Error(`The table of ${name} has not all of ${ids.join(', ')}`);
  return [head?.replace(/^\| +\|/, '| case |'), rule, ...found].join('\n');
}

/** For each server and each of its peers, the sums of the tasks that both complete. */
function sums(names: readonly string[]): string {
  const kB = ({ bytes }: Sum) => (bytes / 1_000).toFixed(1);
  const rows = names.flatMap((name) =>
    sumsIn(measured(name)).map(({ peer, tasks: both, ours, theirs, others }) =>
      [name, peer, both, ours.calls, theirs.calls, kB(ours), kB(theirs), others].join(' | '),
    ),
  );
  return [
    '| server | peer | tasks that both complete | calls here | calls there | kB here | kB there | tasks that only this one completes |',
    '| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...rows.map((row) => `| ${row} |`),
  ].join('\n');
}

if (import.meta.main) writeTasks();

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Sum, sumsIn } from '../test/tasks/sums.ts';

// Copies tables of tasks from the READMEs of the servers into comparison.md: `node docs/task-tables.ts`.
// `node test/tasks/run.ts --peers --write` measures the tasks, writes the READMEs, and then copies the
// tables, too.

const root = join(import.meta.dirname, '..');
const page = join(import.meta.dirname, 'comparison.md');

/** The tasks of a server that the page shows. */
const chosen: Readonly<Record<string, readonly string[]>> = {
  filesystem: ['F02', 'F07', 'F14', 'F18', 'F20', 'F24', 'F26'],
  sqlite: ['S01', 'S03', 'S05', 'S08', 'S11', 'S12', 'S14'],
};

/**
 * Returns the page with the tables of the READMEs. Throws if the comments that enclose a table are missing.
 */
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

/** The server's table of measured tasks, with only the rows of the given tasks. */
function tasks(name: string, ids: readonly string[]): string {
  const [head, rule, ...rows] = measured(name).split('\n');
  const found = rows.filter((row) => ids.some((id) => row.startsWith(`| ${id} |`)));
  if (found.length !== ids.length) throw new Error(`The table of ${name} has not all of ${ids.join(', ')}`);
  return [head?.replace(/^\| +\|/, '| case |'), rule, ...found].join('\n');
}

/**
 * For each server and each server it is compared with: how many calls and bytes each of both needs for all
 * tasks that both complete.
 */
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

import type { Cost } from './session.ts';
import type { Task } from './task.ts';

/** One row: a task, and the cost of each contender, or why it cannot complete the task. */
export interface Row {
  readonly task: Task;
  readonly ours: Cost;
  readonly peers: Readonly<Record<string, Cost | string>>;
}

const begin = '<!-- tasks: written by `node test/tasks/run.ts --peers --write` -->';
const end = '<!-- /tasks -->';

/** The rows as a Markdown table: calls, bytes sent and bytes received. */
export function markdownTable(rows: readonly Row[], peers: readonly string[]): string {
  const names = ['this server', ...peers];
  const lines = [
    `| | task | ${names.map((name) => `${name}: calls, sent, received`).join(' | ')} |`,
    `|---|---|${names.map(() => '---:|').join('')}`,
    ...rows.map(({ task, ours, peers: costs }) => {
      const cells = [ours, ...peers.map((peer) => costs[peer] ?? '')].map(cell);
      return `| ${task.id} | ${task.instruction.replaceAll('|', '\\|')} | ${cells.join(' | ')} |`;
    }),
  ];
  return lines.join('\n');
}

/** The document with its table of tasks replaced. Throws when the document has no place for it. */
export function withTable(document: string, table: string): string {
  const from = document.indexOf(begin);
  const to = document.indexOf(end);
  if (from === -1 || to < from) throw new Error(`The README has no lines "${begin}" and "${end}"`);
  return `${document.slice(0, from + begin.length)}\n\n${table}\n\n${document.slice(to)}`;
}

/** The table of a translation with the costs of another table, and its own instructions and reasons. */
export function withCosts(document: string, table: string): string {
  const [, section = ''] = document.split(begin);
  const [own = ''] = section.split(end);
  const costs = new Map(rowsOf(table).map(([id = '', , ...cells]) => [id, cells]));
  const isCost = (cell = '') => cell === '' || /^\d/.test(cell);
  const translated = rowsOf(own).map(([id = '', instruction = '', ...cells]) => {
    const measured = costs.get(id) ?? [];
    // The heading and the reasons are words, which stay.
    return [
      id,
      instruction,
      ...measured.map((cell, index) => (isCost(cell) || isCost(cells[index]) ? cell : cells[index])),
    ];
  });
  const [heading = [], ...rows] = translated;
  const lines = [heading, heading.map((_, index) => (index < 2 ? '---' : '---:')), ...rows];
  return withTable(document, lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n'));
}

/** The cells of a table, without the line below its heading. */
function rowsOf(table: string): string[][] {
  return table
    .split('\n')
    .filter((line) => /^\|(?![ :|-]*$)/.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

/** The calls of our server in the table of a document, by the id of the task. */
export function listedCalls(document: string): ReadonlyMap<string, number> {
  const [, section = ''] = document.split(begin);
  const [table = ''] = section.split(end);
  const rows = table.split('\n').map((line) => line.split('|').map((each) => each.trim()));
  return new Map(
    rows
      .filter(([, id = '']) => /^[A-Z]\d+$/.test(id))
      .map((cells) => [cells[1]!, Number.parseInt(cells[3] ?? '', 10)]),
  );
}

function cell(cost: Cost | string): string {
  if (typeof cost === 'string') return cost;
  return `${cost.calls}, ${bytes(cost.sent)}, ${bytes(cost.received)}`;
}

function bytes(count: number): string {
  if (count < 1_000) return `${count} B`;
  if (count < 1_000_000) return `${(count / 1_000).toFixed(1)} kB`;
  return `${(count / 1_000_000).toFixed(1)} MB`;
}

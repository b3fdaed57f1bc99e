/** The sum of the calls and bytes of some tasks. */
export interface Sum {
  readonly calls: number;
  /** Sent and received. */
  readonly bytes: number;
}

/** What the tasks cost that this server and a peer both complete. */
export interface PeerSums {
  readonly peer: string;
  readonly tasks: number;
  readonly ours: Sum;
  readonly theirs: Sum;
  /** The number of tasks that only this server completes. */
  readonly others: number;
}

/** The sums of a table that `markdownTable` has written, for each of its peers. */
export function sumsIn(table: string): PeerSums[] {
  const lines = table.split('\n').filter((line) => line.startsWith('|'));
  const [head = [], , ...rows] = lines.map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  return head.slice(3).map((title, index) => {
    const both = rows.filter((cells) => /^\d/.test(cells[3 + index] ?? ''));
    return {
      peer: title.split(':')[0]!,
      tasks: both.length,
      ours: sumOf(both.map((cells) => cells[2]!)),
      theirs: sumOf(both.map((cells) => cells[3 + index]!)),
      others: rows.length - both.length,
    };
  });
}

/** `26 tasks that both complete: 27 calls and 10 kB here, 200 calls and 872 kB with official` */
export function sumsText({ peer, tasks, ours, theirs }: PeerSums): string {
  const text = ({ calls, bytes }: Sum) => `${calls} calls and ${Math.round(bytes / 1_000)} kB`;
  return `${tasks} tasks that both complete: ${text(ours)} here, ${text(theirs)} with ${peer}`;
}

const units: Readonly<Record<string, number>> = { B: 1, kB: 1_000, MB: 1_000_000 };

/** The sum of cells such as `2, 278 B, 1.2 kB`. */
function sumOf(cells: readonly string[]): Sum {
  let [calls, bytes] = [0, 0];
  for (const cell of cells) {
    calls += Number.parseInt(cell, 10);
    for (const [, amount, unit = ''] of cell.matchAll(/([\d.]+) (k?M?B)/g))
      bytes += Number(amount) * units[unit]!;
  }
  return { calls, bytes };
}

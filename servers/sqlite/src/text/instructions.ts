import type { DatabaseFile } from '@mcp/sqlite-pool';

interface Setting {
  readonly databases: readonly DatabaseFile[];
  readonly writes: boolean;
  readonly readsFiles: boolean;
}

/**
 * Maximum number of characters of the names of databases. The error for a missing `database` lists all
 * names.
 */
const maxNamesLength = 90;

/** The instructions of the server, 400 to 600 bytes with usual names of databases. */
export function instructionsFor({ databases, writes, readsFiles }: Setting): string {
  const [first, second] = databases.map(({ name }) => name);
  const parts = [
    second === undefined
      ? `The database is ${shown(first)}; the argument database may also be left out.`
      : `The databases are ${namesText(databases)}; name one in database. One query reads several by their names: FROM a.t JOIN b.u.`,
    'describe_table without table is the whole schema; with profile, the values of its columns.',
    ...(readsFiles ? ['CSV and JSON files are tables in query: FROM "sales.csv".'] : []),
    'search finds text in all tables. A cut answer names the cursor or argument that continues it.',
    writes
      ? 'write is one transaction; dry_run reports its changes, the answer has the statements that undo it, where cheap.'
      : 'The server is read-only: no statement changes a database.',
    'Integers beyond 2^53 are {"$int":"…"}, bytes {"$blob":base64}, in results and params alike.',
  ];
  return parts.join(' ');
}

function namesText(databases: readonly DatabaseFile[]): string {
  const names = databases.map(({ name }) => shown(name));
  let length = 0;
  const fitting = names.findIndex((name) => (length += name.length + 2) > maxNamesLength);
  if (fitting <= 0) return names.join(', ');
  return `${names.slice(0, fitting).join(', ')} and ${names.length - fitting} more`;
}

function shown(name: string | undefined): string {
  const text = name ?? '';
  return JSON.stringify(text.length > maxNamesLength ? `${text.slice(0, maxNamesLength)}…` : text);
}

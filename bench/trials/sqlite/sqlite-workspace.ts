import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { initialize, start } from '../../child.ts';
import type { Program } from '../../trial.ts';

/** The call that runs a statement on a server. */
export interface SqliteProgram extends Program {
  call(sql: string): { readonly name: string; readonly arguments: object };
}

/** 100,000 rows of four columns. */
const path = join(mkdtempSync(join(tmpdir(), 'bench-sqlite-')), 'big.db');

export function makeDatabase(): void {
  const database = new Database(path);
  database.exec(`
    CREATE TABLE IF NOT EXISTS big(id INTEGER PRIMARY KEY, name TEXT, amount REAL, note TEXT);
    INSERT OR REPLACE INTO big WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 100000)
      SELECT x, 'name ' || x, x * 1.5, 'note ' || (x % 97) FROM c;
  `);
  database.close();
}

const programOf = (specifier: string) => fileURLToPath(import.meta.resolve(specifier));

export const ours: SqliteProgram = {
  args: [
    fileURLToPath(new URL('../../../servers/sqlite/dist/main.cjs', import.meta.url)),
    '--max-rows=100000',
    '--max-bytes=100000000',
    path,
  ],
  call: (sql) => ({ name: 'query', arguments: { sql, limit: 100_000, format: 'json' } }),
};

export const floor: SqliteProgram = {
  args: [fileURLToPath(new URL('../../servers/sqlite-floor.mjs', import.meta.url)), path],
  call: (sql) => ({ name: 'query', arguments: { sql } }),
};

export const sqliteTools: SqliteProgram = {
  args: [programOf('mcp-sqlite-tools')],
  env: { SQLITE_DEFAULT_DATABASE: path },
  call: (query) => ({ name: 'execute_read_query', arguments: { query } }),
};

export const dbhub: SqliteProgram = {
  args: [programOf('@bytebase/dbhub'), '--transport', 'stdio', '--dsn', `sqlite://${path}`],
  call: (sql) => ({ name: 'execute_sql', arguments: { sql } }),
};

/** A conversation that does not parse long answers; it only counts their bytes. */
export class Asking {
  readonly process;
  readonly #program: SqliteProgram;
  readonly #waiting = new Map<number, (line: string) => void>();
  #long: ((bytes: number) => void) | undefined;
  #rest: Buffer[] = [];
  #length = 0;
  #id = 0;

  constructor(program: SqliteProgram) {
    this.#program = program;
    this.process = start(program);
    this.process.stdout.on('data', (chunk: Buffer) => this.#hear(chunk));
  }

  async open(): Promise<void> {
    const answered = new Promise<string>((resolve) => this.#waiting.set(0, resolve));
    this.process.stdin.write(initialize);
    await answered;
    this.process.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  }

  /** The line of the answer; rejects when it is an error. */
  async query(sql: string): Promise<string> {
    const line = await this.ask('tools/call', this.#program.call(sql));
    if (/"isError":true|"error":\{/.test(line.slice(0, 5_000))) throw new Error(line.slice(0, 500));
    return line;
  }

  /** The bytes of an answer of more than 100 kB. */
  long(sql: string): Promise<number> {
    const answered = new Promise<number>((resolve) => (this.#long = resolve));
    this.#send('tools/call', this.#program.call(sql));
    return answered;
  }

  ask(method: string, params: object = {}): Promise<string> {
    const id = this.#send(method, params);
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  /** Sends a request without waiting; returns its id. */
  begin(sql: string): number {
    return this.#send('tools/call', this.#program.call(sql));
  }

  cancel(requestId: number): void {
    const message = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } };
    this.process.stdin.write(`${JSON.stringify(message)}\n`);
  }

  #send(method: string, params: object): number {
    const id = ++this.#id;
    this.process.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return id;
  }

  #hear(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      this.#take(chunk.subarray(start, end));
      start = end + 1;
    }
    if (start === chunk.length) return;
    this.#rest.push(chunk.subarray(start));
    this.#length += chunk.length - start;
  }

  #take(end: Buffer): void {
    const length = this.#length + end.length;
    const line = length > 100_000 ? '' : Buffer.concat([...this.#rest, end]).toString('latin1');
    this.#rest = [];
    this.#length = 0;
    if (length > 100_000) return this.#long?.(length);
    const id = Number(/"id":(\d+)/.exec(line)?.[1]);
    this.#waiting.get(id)?.(line);
    this.#waiting.delete(id);
  }
}

export async function elapsed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** The quantile of sorted values. */
export function quantile(values: readonly number[], share: number): number {
  return (
    values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ??
    Number.NaN
  );
}

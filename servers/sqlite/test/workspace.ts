import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Client, type ClientOptions, connect } from '@mcp/protocol/testing';
import { TemporaryDirectory } from '@mcp/test-kit';
import { DatabaseProcesses } from '@mcp/sqlite-pool';
import { viewsCapability } from '@mcp/views';
import Driver from 'better-sqlite3';
import type { Sqlite } from '../src/context.ts';
import { sqlite, type SqliteOptions } from '../src/server.ts';

/** The processes of all servers of a test file that calls `shareProcesses`. */
let shared: DatabaseProcesses | undefined;

/**
 * Lets the servers of this file run SQL in the same processes: starting some for each takes longer than most
 * tests. Not for tests of the processes themselves, nor of two servers that write concurrently.
 */
export function shareProcesses(): void {
  shared = new DatabaseProcesses({ maxMemory: 512 * 1024 * 1024 });
}

export type ServerOptions = Partial<SqliteOptions> & {
  /** Whether the client shows views; defaults to false. */
  readonly shows?: boolean;
};

/** The default content of a database. */
export const shop = `
  CREATE TABLE customers(id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT);
  CREATE TABLE orders(id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(id), total REAL);
  INSERT INTO customers(name, city) VALUES ('Ada', 'Oslo'), ('Ben', 'Turin'), ('Chiara', NULL);
  INSERT INTO orders(customer_id, total) VALUES (1, 10.0), (1, 2.5), (2, 7.25);
`;

/** A directory with a database that the server may use, and next to it a database that it may not use. */
export class Workspace extends TemporaryDirectory {
  readonly path = join(this.root, 'shop.db');
  #shut: Disposable[] = [];

  constructor(sql: string = shop, { wal = false } = {}) {
    super('sqlite');
    this.make(this.path, sql, { wal });
    this.make(
      join(this.outside, 'secret.db'),
      "CREATE TABLE secret(word); INSERT INTO secret VALUES ('SECRET')",
    );
  }

  /** Creates or changes a database on a connection of its own. */
  make(path: string, sql: string, { wal = false } = {}): string {
    const database = new Driver(path);
    if (wal) database.pragma('journal_mode = WAL');
    database.exec(sql);
    database.close();
    return path;
  }

  /** Creates a database beside the first. */
  putDatabase(name: string, sql: string): string {
    return this.make(join(this.root, name), sql);
  }

  /** A server for this workspace. */
  serve({ paths = [this.path], ...options }: Partial<SqliteOptions> = {}) {
    const { context, ...server } = sqlite({
      paths,
      processes: options.maxMemory === undefined ? shared : undefined,
      ...options,
    });
    const load = context as () => Promise<Sqlite>;
    const loading = async () => {
      const loaded = await load();
      this.#shut.push(loaded.databases);
      return loaded;
    };
    return { ...server, context: loading };
  }

  /** A client of a server for this workspace. */
  async connect(options: Omit<ClientOptions, 'extensions'> & ServerOptions = {}): Promise<Client> {
    // Here `extensions` are those of SQLite; a client has extensions of the protocol by that name.
    const { extensions: _, shows, ...forClient } = options;
    return connect(this.serve(options), { ...forClient, ...(shows && { extensions: viewsCapability }) });
  }

  /** The text that the model reads, without the path of the workspace. */
  async say(client: Client, tool: string, args: Record<string, unknown> = {}): Promise<string> {
    const { content, isError } = await client.callTool(tool, args);
    const text = content.map((block) => (block.type === 'text' ? block.text : block.type)).join('\n');
    return (isError ? 'ERROR ' : '') + text.replaceAll(this.base, '');
  }

  /** The rows of a query, as a program reads them. */
  async rows(client: Client, sql: string, params?: unknown): Promise<unknown> {
    const { structuredContent, isError, content } = await client.callTool('query', {
      sql,
      params,
      limit: 1_000,
      format: 'json',
    });
    if (isError) throw new Error((content[0] as { text: string }).text);
    return (structuredContent as { rows: unknown }).rows;
  }

  /** Everything on disk: names, sizes and bytes. */
  get disk(): string {
    return [this.root, this.outside]
      .flatMap((directory) =>
        readdirSync(directory, { recursive: true })
          .map((name) => join(directory, String(name)))
          .toSorted()
          // The index of a log is memory that readers share, and not data.
          .filter((path) => !path.endsWith('-shm'))
          .map((path) => {
            const bytes = statSync(path).isFile()
              ? createHash('sha256').update(readFileSync(path)).digest('hex')
              : 'directory';
            return `${path} ${bytes}`;
          }),
      )
      .join('\n');
  }

  override [Symbol.dispose](): void {
    for (const each of this.#shut) each[Symbol.dispose]();
    super[Symbol.dispose]();
  }
}

/** Returns the message of the error that `work` throws, which is what the client reads. */
export async function problem(work: () => unknown): Promise<string> {
  try {
    await work();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return 'nothing went wrong';
}

import { expect } from 'vitest';
import type { PackedServer } from './packed-server.ts';

export const sqlite: PackedServer = {
  name: 'sqlite',
  dependencies: ['better-sqlite3'],
  nodes: ['22', '24', '26'],
  refuses: { version: '20.19', saying: 'mcp-server-sqlite needs Node 22 or newer, but runs on 20.' },

  // The sample database of the server.
  async prepare() {
    return ['--allow-write'];
  },

  async use(client) {
    const heard = Promise.withResolvers<void>();
    await client.subscribe('sqlite://sample/table/books', heard.resolve);
    const written = await client.callTool('write', {
      sql: 'UPDATE books SET stock = ? WHERE title = ?',
      params: [1, 'Emma'],
    });
    expect(written.content).toEqual([
      { type: 'text', text: expect.stringMatching(/^Changed 1 row\nUndo: UPDATE "books" SET "stock" = /) },
    ]);
    await heard.promise;
    const { structuredContent } = await client.callTool('query', {
      sql: "SELECT stock, 9007199254740993 FROM books WHERE title = 'Emma'",
      format: 'json',
    });
    expect(structuredContent).toMatchObject({ rows: [[1, { $int: '9007199254740993' }]] });
  },
};

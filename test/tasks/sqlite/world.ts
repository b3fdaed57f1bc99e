import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export const tools = 'mcp-sqlite-tools';
export const dbhub = 'dbhub';

export const noFiles = 'it reads and writes no files';

const schema = `
  CREATE TABLE customers(id INTEGER PRIMARY KEY, name TEXT NOT NULL, tel TEXT);
  CREATE TABLE orders(id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(id) ON DELETE CASCADE, placed TEXT, total INTEGER);
  CREATE TABLE items(order_id INTEGER REFERENCES orders(id) ON DELETE CASCADE, product TEXT);
  CREATE TABLE accounts(id INTEGER PRIMARY KEY, balance INTEGER CHECK (balance >= 0));
  CREATE TABLE log(what TEXT);
  CREATE TABLE prices_old(product TEXT, price INTEGER); CREATE TABLE prices_new(product TEXT, price INTEGER);
  CREATE TABLE notes(id INTEGER PRIMARY KEY, note TEXT);
  WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 300)
    INSERT INTO customers SELECT x, 'customer ' || x, iif(x % 3 = 0, NULL, '+41 ' || x) FROM c;
  WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 3000)
    INSERT INTO orders SELECT x, x % 300 + 1, printf('20%02d-%02d-%02d', 19 + x % 7, x % 12 + 1, x % 28 + 1), x % 97 FROM c;
  INSERT INTO items SELECT id, 'product ' || (id % 5) FROM orders UNION ALL SELECT id, 'gift' FROM orders WHERE id % 10 = 0;
  INSERT INTO accounts VALUES (1, 500), (2, 20);
  WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 400)
    INSERT INTO prices_old SELECT 'product ' || x, x FROM c;
  INSERT INTO prices_new SELECT product, iif(price % 100 = 0, price + 5, price) FROM prices_old WHERE price <> 17;
  INSERT INTO notes(note) VALUES ('call back'), ('asked for a refund of 12'), ('ok');
`;

export const database = (world: string) => join(world, 'shop.db');

export function shop(world: string): void {
  mkdirSync(world);
  const made = new DatabaseSync(database(world));
  made.exec(`PRAGMA synchronous = OFF; BEGIN; ${schema} COMMIT`);
  made.close();
}

/** The rows of a query on the database of a task, or on a file beside it. */
export function rows(world: string, sql: string, file = 'shop.db'): unknown[] {
  const opened = new DatabaseSync(join(world, file), { readOnly: true });
  try {
    return opened
      .prepare(sql)
      .all()
      .map((row) => Object.values(row));
  } finally {
    opened.close();
  }
}

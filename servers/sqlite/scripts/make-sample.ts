import { rmSync } from 'node:fs';
import Database from 'better-sqlite3';

// Makes dist/sample.db, which a server without arguments shows: a small bookshop, with every kind of table
// that is worth trying. Every build makes the same rows.

const file = new URL('../dist/sample.db', import.meta.url).pathname;
rmSync(file, { force: true });
const database = new Database(file);

database.exec(`
  CREATE TABLE authors (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    born INTEGER
  );
  CREATE TABLE books (
    id INTEGER PRIMARY KEY,
    title TEXT NOT NULL,
    author_id INTEGER NOT NULL REFERENCES authors(id),
    published INTEGER,
    price REAL NOT NULL,
    stock INTEGER NOT NULL DEFAULT 0,
    value REAL GENERATED ALWAYS AS (price * stock) VIRTUAL
  );
  CREATE TABLE customers (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    city TEXT NOT NULL,
    since TEXT NOT NULL
  ) STRICT;
  CREATE TABLE orders (
    id INTEGER PRIMARY KEY,
    customer_id INTEGER NOT NULL REFERENCES customers(id),
    day TEXT NOT NULL
  );
  CREATE TABLE order_lines (
    order_id INTEGER NOT NULL REFERENCES orders(id) ON DELETE CASCADE,
    book_id INTEGER NOT NULL REFERENCES books(id),
    quantity INTEGER NOT NULL,
    price REAL NOT NULL,
    PRIMARY KEY (order_id, book_id)
  ) WITHOUT ROWID;
  CREATE INDEX orders_by_customer ON orders(customer_id, day);
  CREATE VIRTUAL TABLE reviews USING fts5(book, text);
  CREATE VIEW sales AS
    SELECT b.title, sum(l.quantity) AS sold, round(sum(l.quantity * l.price), 2) AS revenue
    FROM order_lines AS l JOIN books AS b ON b.id = l.book_id
    GROUP BY b.id;
`);

const authors: readonly (readonly [name: string, born: number, ...books: readonly string[]])[] = [
  ['Jane Austen', 1775, 'Pride and Prejudice', 'Emma', 'Persuasion'],
  ['Mary Shelley', 1797, 'Frankenstein', 'The Last Man'],
  ['Herman Melville', 1819, 'Moby-Dick', 'Bartleby'],
  ['George Eliot', 1819, 'Middlemarch', 'Silas Marner'],
  ['Jules Verne', 1828, 'Around the World in Eighty Days', 'The Mysterious Island'],
  ['Lewis Carroll', 1832, "Alice's Adventures in Wonderland"],
  ['Mark Twain', 1835, 'Adventures of Huckleberry Finn', 'A Tramp Abroad'],
  ['Bram Stoker', 1847, 'Dracula'],
  ['Kate Chopin', 1850, 'The Awakening'],
  ['H. G. Wells', 1866, 'The Time Machine', 'The War of the Worlds'],
];
const names = [
  'Ada',
  'Ben',
  'Chiara',
  'Dmitri',
  'Elif',
  'Farid',
  'Greta',
  'Hiro',
  'Inês',
  'Jonas',
  'Kaya',
  'Lin',
];
const cities = ['Lisbon', 'Oslo', 'Kraków', 'Ghent', 'Turin'];
const opinions = [
  'Slow at first, and then impossible to put down',
  'The ending alone is worth the price',
  'A cold, clear book about people who talk past each other',
  'Read it aloud: the sentences want to be heard',
  'Shorter than its fame, and funnier',
];

// A small generator of pseudo-random numbers, so that every build makes the same database.
let state = 20_260_101;
const upTo = (limit: number) => {
  state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
  return Math.floor((state / 2_147_483_648) * limit);
};
const day = (index: number) => new Date(Date.UTC(2025, 0, 1 + index)).toISOString().slice(0, 10);

database.transaction(() => {
  const author = database.prepare('INSERT INTO authors(name, born) VALUES (?, ?)');
  const book = database.prepare(
    'INSERT INTO books(title, author_id, published, price, stock) VALUES (?, ?, ?, ?, ?)',
  );
  const review = database.prepare('INSERT INTO reviews(book, text) VALUES (?, ?)');
  const prices: number[] = [];
  for (const [name, born, ...titles] of authors) {
    const { lastInsertRowid } = author.run(name, BigInt(born));
    for (const title of titles) {
      prices.push(6 + upTo(60) / 4);
      book.run(title, lastInsertRowid, BigInt(born + 28 + upTo(30)), prices.at(-1), BigInt(upTo(40)));
      if (upTo(3) > 0) review.run(title, opinions[upTo(opinions.length)]);
    }
  }
  const customer = database.prepare('INSERT INTO customers(name, city, since) VALUES (?, ?, ?)');
  for (const name of names) customer.run(name, cities[upTo(cities.length)], day(upTo(200)));
  const order = database.prepare('INSERT INTO orders(customer_id, day) VALUES (?, ?)');
  const line = database.prepare('INSERT OR IGNORE INTO order_lines VALUES (?, ?, ?, ?)');
  for (let index = 0; index < 200; index++) {
    const { lastInsertRowid } = order.run(BigInt(1 + upTo(names.length)), day(200 + index));
    for (let lines = 1 + upTo(3); lines > 0; lines--) {
      const bought = upTo(prices.length);
      line.run(lastInsertRowid, BigInt(bought + 1), BigInt(1 + upTo(3)), prices[bought]);
    }
  }
})();
database.exec("INSERT INTO reviews(reviews) VALUES ('optimize'); ANALYZE; VACUUM;");
database.close();

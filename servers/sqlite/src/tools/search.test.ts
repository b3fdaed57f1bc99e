import { expect, test } from 'vitest';
import { shareProcesses, Workspace } from '../../test/workspace.ts';

shareProcesses();

test('uses the full-text index of a table, quotes an invalid expression, and compares text in other tables', async () => {
  using workspace = new Workspace(`
    CREATE VIRTUAL TABLE notes USING fts5(title, body);
    INSERT INTO notes VALUES ('Trip', 'a boat to foo-bar island'), ('Home', 'nothing here');
    CREATE TABLE people(id INTEGER PRIMARY KEY, name TEXT, bio TEXT);
    INSERT INTO people VALUES (7, 'Ada 100%', 'likes Foo-Bar'), (8, 'Ben', NULL);
    CREATE TABLE keyed(k TEXT PRIMARY KEY, v TEXT) WITHOUT ROWID;
    INSERT INTO keyed VALUES ('a', 'FOO-BAR');
  `);
  await using client = await workspace.connect();
  expect(await workspace.say(client, 'search', { text: 'boat NOT home', table: 'notes' })).toBe(
    'notes row 1: "a boat to foo-bar island"\n1 match',
  );
  expect(await workspace.say(client, 'search', { text: 'foo-bar' })).toBe(
    [
      'notes row 1: "a boat to foo-bar island"',
      'keyed.v: "FOO-BAR"',
      'people.bio row 7: "likes Foo-Bar"',
      '3 matches',
      'The text is not a full-text expression: searched for its words',
    ].join('\n'),
  );
  expect(await workspace.say(client, 'search', { text: '100%', table: 'people' })).toBe(
    'people.name row 7: "Ada 100%"\n1 match',
  );
  expect(await workspace.say(client, 'search', { text: 'xyz' })).toBe('No matches');
  expect(await workspace.say(client, 'search', { text: 'x', table: 'missing' })).toContain(
    'no such table: missing',
  );
});

test('a match has its exact rowid and a short snippet', async () => {
  using workspace = new Workspace(`
    CREATE VIRTUAL TABLE notes USING fts5(body);
    INSERT INTO notes(rowid, body) VALUES (9007199254740993, 'needle ' || printf('%.*c', 100000, 'q'));
    CREATE TABLE people(id INTEGER PRIMARY KEY, name TEXT);
    INSERT INTO people VALUES (9007199254740993, 'needle');
  `);
  await using client = await workspace.connect();
  const lines = (await workspace.say(client, 'search', { text: 'needle' })).split('\n');
  for (const line of lines.slice(0, 2)) {
    expect(line).toContain(' row {"$int":"9007199254740993"}: "');
    expect(line.length).toBeLessThan(1_000);
  }
  expect(await workspace.say(client, 'search', { text: 'needle', table: 'people' })).toBe(
    'people.name row {"$int":"9007199254740993"}: "needle"\n1 match',
  );
});

import fc from 'fast-check';

/** Statements from SQLite's grammar, of every kind, with comments and other statements around them. */

const pick = (...texts: readonly string[]) => fc.constantFrom(...texts);
const join = (...parts: readonly fc.Arbitrary<string>[]) =>
  fc.tuple(...parts).map((pieces) => pieces.join(''));
const list = (of: fc.Arbitrary<string>, maxLength = 3) =>
  fc.array(of, { minLength: 1, maxLength }).map((items) => items.join(', '));
const maybe = (text: fc.Arbitrary<string>) => fc.oneof(fc.constant(''), text);

const gap = fc.oneof(
  { weight: 12, arbitrary: fc.constant(' ') },
  pick('\n', '\t', '\f', '\r\n', '/**/', ' -- x\n', '/* ; */', '\uFEFF', '-- \r\n', '/* -- */', '  '),
);
const prefix = fc.oneof(
  { weight: 12, arbitrary: fc.constant('') },
  gap,
  pick('(', ';', '\u0000', '\u00a0', '\u000b', '-- all of it', '/*'),
);

const spelled = (word: string) =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constant(word) },
    fc.constant(word.toLowerCase()),
    fc.constant(word[0] + word.slice(1).toLowerCase()),
  );
/** Keywords with gaps between them, in any case. */
const words = (text: string) =>
  fc
    .tuple(...text.split(' ').map((word) => fc.tuple(spelled(word), gap)))
    .map((pairs) => pairs.flat().join(''));

const table = pick(
  't',
  'big',
  'ft',
  'w',
  'main.t',
  '"t"',
  '[t]',
  '`t`',
  'sqlite_schema',
  'sqlite_master',
  'x',
  'o.secret',
  'temp.t',
  'missing',
  'sqlite_temp_schema',
  'dbstat',
  'sqlite_sequence',
);
const column = pick('id', 'v', '*', '"limit"', 'rowid', '"update"', 'body', 't.v', 'nope');
const literal = pick(
  '0',
  '1',
  '-1',
  "'a'",
  'NULL',
  "x'00ff'",
  '9e999',
  '9223372036854775807',
  "''",
  '0xfffe',
  "'WAL'",
  'ON',
  'main',
  "'copy.db'",
  '1.5',
);
const call = join(
  pick(
    'count',
    'abs',
    'upper',
    'hex',
    'random',
    'length',
    'load_extension',
    'writefile',
    'readfile',
    'fts3_tokenizer',
    'zeroblob',
    'total_changes',
    'last_insert_rowid',
    'sqlite_version',
    'json',
    'printf',
    'quote',
    'changes',
    'sqlite_compileoption_get',
    'optimize',
    'rank',
    'match',
  ),
  fc.constant('('),
  fc.oneof(column, literal, list(literal)),
  fc.constant(')'),
);
const expression = fc.oneof(
  column,
  literal,
  call,
  join(literal, pick(' + ', ' || ', ' = ', ' IS ', ' LIKE '), literal),
  fc.constant('(SELECT 1)'),
);

const pragmaName = pick(
  'query_only',
  'foreign_keys',
  'trusted_schema',
  'busy_timeout',
  'cache_size',
  'temp_store',
  'locking_mode',
  'journal_mode',
  'user_version',
  'application_id',
  'schema_version',
  'incremental_vacuum',
  'encoding',
  'auto_vacuum',
  'page_size',
  'secure_delete',
  'writable_schema',
  'optimize',
  'wal_checkpoint',
  'synchronous',
  'cell_size_check',
  'recursive_triggers',
  'defer_foreign_keys',
  'ignore_check_constraints',
  'legacy_alter_table',
  'reverse_unordered_selects',
  'automatic_index',
  'case_sensitive_like',
  'shrink_memory',
  'mmap_size',
  'threads',
  'max_page_count',
  'journal_size_limit',
  'wal_autocheckpoint',
  'hard_heap_limit',
  'soft_heap_limit',
  'read_uncommitted',
  'temp_store_directory',
  'data_store_directory',
  'checkpoint_fullfsync',
  'fullfsync',
  'table_list',
  'table_info',
  'integrity_check',
  'quick_check',
  'foreign_key_check',
  'database_list',
  'compile_options',
  'analysis_limit',
  'cache_spill',
  'default_cache_size',
  'count_changes',
  'full_column_names',
  'lock_status',
  'parser_trace',
  'vdbe_trace',
);
const quotedName = fc
  .tuple(pragmaName, pick('', '"', '`', '['))
  .map(([name, quote]) => quote + name + (quote === '[' ? ']' : quote));
const pragma = join(
  words('PRAGMA'),
  pick('', '', 'main.', 'main . ', 'temp.'),
  quotedName,
  fc.oneof(
    fc.constant(''),
    join(pick('=', ' = ', '/**/='), literal),
    join(fc.constant('('), literal, fc.constant(')')),
  ),
);
const pragmaTable = join(
  fc.constant('pragma_'),
  pragmaName,
  maybe(join(fc.constant('('), literal, fc.constant(')'))),
);

const source = fc.oneof(
  { weight: 3, arbitrary: table },
  pragmaTable,
  fc.constant('(SELECT 1 AS id, 2 AS v)'),
  join(
    pick('json_each', 'generate_series', 'fsdir', 'fts5vocab'),
    fc.constant('('),
    literal,
    fc.constant(')'),
  ),
);
const select = join(
  words('SELECT'),
  list(expression),
  maybe(join(fc.constant(' FROM '), source, maybe(join(fc.constant(' WHERE '), expression)))),
  maybe(
    join(
      pick(' UNION ALL ', ' EXCEPT ', ' UNION '),
      pick('SELECT 1', 'SELECT 1, 2', 'VALUES (1)', 'DELETE FROM t', 'PRAGMA query_only=0'),
    ),
  ),
  maybe(join(pick(' LIMIT ', ' ORDER BY '), literal)),
);
/** Valid SQL: most statements drawn at random are not. */
const sound = join(
  words('SELECT'),
  list(
    pick('id', 'v', 'rowid', 'upper(v)', 'typeof(v)', '1', 'NULL', "'a;b'", 'hex(randomblob(3))', 'id + 1'),
  ),
  fc.constant(' FROM '),
  pick('t', 'big', 'main.t', '"t"', '[t]', 't, (SELECT 1 AS one)', 'big LEFT JOIN (SELECT 2 AS two) ON 1'),
  pick('', ' WHERE id = 1', " WHERE v LIKE 'a%'", ' WHERE id IN (SELECT id FROM t)'),
  pick('', ' ORDER BY 1', ' LIMIT 2', ' LIMIT -1', ' LIMIT 0, 100000', ' -- limit'),
);
const change = fc.oneof(
  join(
    words('INSERT INTO'),
    table,
    pick(
      ' VALUES (9, 9)',
      ' DEFAULT VALUES',
      ' SELECT * FROM x',
      "(v) VALUES ('z')",
      "(ft) VALUES ('optimize')",
      "(ft) VALUES ('rebuild')",
    ),
  ),
  join(words('REPLACE INTO'), table, pick(" VALUES (1, 'x', 1, 1)", '(id) VALUES (1)')),
  join(
    words('UPDATE'),
    table,
    pick(' SET v = 0', ' SET id = id', " SET sql = 'x'", ' SET data = 0'),
    maybe(fc.constant(' WHERE 1')),
  ),
  join(words('DELETE FROM'), table, pick('', ' WHERE 1', ' LIMIT 1', ' WHERE 1 /* limit */')),
);
const returning = pick('', '', ' RETURNING *', ' RETURNING id');
const withClause = join(
  words('WITH'),
  maybe(words('RECURSIVE')),
  pick(
    'x AS (SELECT 1)',
    'x(a) AS (VALUES (1))',
    'x AS MATERIALIZED (SELECT id FROM t)',
    'x AS (DELETE FROM t RETURNING *)',
    'x(a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM x LIMIT 5)',
  ),
  gap,
);
const schemaChange = fc.oneof(
  join(
    words('CREATE'),
    pick('', 'TEMP ', 'temporary ', 'UNIQUE '),
    pick(
      'TABLE n(x)',
      'TABLE IF NOT EXISTS n AS SELECT 1',
      'VIEW n AS SELECT 1',
      'INDEX n ON t(v)',
      'TRIGGER n AFTER INSERT ON t BEGIN DELETE FROM t; END',
      'VIRTUAL TABLE n USING fts5(x)',
      'VIRTUAL TABLE n USING dbstat',
    ),
  ),
  join(words('DROP'), pick('TABLE ', 'VIEW ', 'INDEX ', 'TRIGGER '), table),
  join(words('ALTER TABLE'), table, pick(' RENAME TO n', ' ADD COLUMN n', ' DROP COLUMN v')),
);
const elsewhere = fc.oneof(
  join(
    words('ATTACH'),
    maybe(words('DATABASE')),
    pick("'new.db'", "':memory:'", "''", "'file:x?mode=rwc'", ':p', "'../outside/secret.db'"),
    fc.constant(' AS o'),
  ),
  join(words('DETACH'), pick('main', 'temp', 'o')),
  join(words('VACUUM'), pick('', 'main', "INTO 'copy.db'", "main INTO 'copy.db'")),
  join(words('REINDEX'), maybe(table)),
  join(words('ANALYZE'), maybe(table)),
  pick(
    'BEGIN',
    'BEGIN IMMEDIATE',
    'BEGIN EXCLUSIVE',
    'COMMIT',
    'END',
    'ROLLBACK',
    'SAVEPOINT s',
    'RELEASE s',
    'ROLLBACK TO s',
  ),
);

const bare = fc.oneof(
  { weight: 5, arbitrary: sound },
  { weight: 4, arbitrary: select },
  { weight: 4, arbitrary: pragma },
  { weight: 2, arbitrary: join(change, returning) },
  { weight: 2, arbitrary: join(withClause, fc.oneof(select, join(change, returning), pragma, schemaChange)) },
  schemaChange,
  elsewhere,
  pick('VALUES (1), (2)', 'VALUES (load_extension(1))', '((SELECT 1))', 'values(1)', 'EXPLAIN', 'SELECT', ''),
);
const explained = join(
  maybe(fc.oneof(words('EXPLAIN'), words('EXPLAIN QUERY PLAN'), fc.constant('EXPLAIN/**/'))),
  bare,
);

/** One text as a client may send it: with noise before it, and sometimes another statement after it. */
export const statement: fc.Arbitrary<string> = join(
  prefix,
  fc.oneof({ weight: 4, arbitrary: bare }, explained),
  maybe(pick(';', ';;', '; ', ' -- end', '/* end', '\u0000; DROP TABLE t', '; -- end\n')),
  fc.oneof({ weight: 9, arbitrary: fc.constant('') }, join(pick(';', '; ', ';--\r\n', ';/**/'), explained)),
);

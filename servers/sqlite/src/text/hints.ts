import type { Hints } from '@mcp/sqlite-pool';

/**
 * The hints that this server adds to errors of `@mcp/sqlite-pool`. They name the server's tools, arguments
 * and options.
 */
export function hintsFor(allowWrite: boolean): Hints {
  const write = allowWrite ? 'Use the tool write' : 'Start the server with --allow-write for the tool write';
  return {
    pragma: 'Use list_tables, describe_table or explain instead',
    explain: 'Use the tool explain',
    attach: 'Start the server with every database that statements use: it attaches them itself',
    transaction: allowWrite
      ? 'Each call of write is one transaction; put its other statements into the argument more'
      : write,
    reads: 'Use the tool query',
    writes: write,
    'read-only': 'Start the server with --allow-write to allow it',
    'no-create': 'Leave out create, or start the server with --create to allow it',
    'unknown-table': 'list_tables lists all tables',
    'long-row':
      'Select fewer columns, or parts of values with substr(), or pass limit, which allows a longer answer',
    'full-text': 'Put terms into double quotes to make a valid full-text expression, or use the tool search',
    'query-timeout': 'Request less, check the plan with explain, or raise timeout_ms, to at most 600000',
    timeout: 'Request less, or start the server with a longer --timeout',
    'file-timeout': 'Request less',
  };
}

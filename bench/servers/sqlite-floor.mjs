import Database from 'better-sqlite3';

// The minimal database server: one line in, one statement, one line out, in one process.

const database = new Database(process.argv[2], { readonly: true });
let rest = '';

process.stdin.setEncoding('utf8').on('data', (chunk) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop() ?? '';
  let answers = '';
  for (const line of lines) {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) continue;
    answers += `${JSON.stringify({ jsonrpc: '2.0', id, result: resultOf(method, params) })}\n`;
  }
  process.stdout.write(answers);
});

function resultOf(method, params) {
  if (method !== 'tools/call') return {};
  const { sql } = params.arguments;
  return { structuredContent: { rows: database.prepare(sql).all() } };
}

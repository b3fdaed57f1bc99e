import { execFile } from 'node:child_process';

// The minimal git server: for each line of stdin, one run of git with the arguments in that line,
// and one line of output.

const [, , cwd] = process.argv;
// As our server does, git does not refresh the index file.
const options = {
  cwd,
  env: { ...process.env, GIT_OPTIONAL_LOCKS: '0' },
  maxBuffer: 1 << 28,
  encoding: 'utf8',
};
let rest = '';

process.stdin.setEncoding('utf8').on('data', (chunk) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop() ?? '';
  for (const line of lines) {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) continue;
    if (method !== 'tools/call') answer(id, {});
    else
      execFile('git', params.arguments.git, options, (error, text) =>
        answer(id, { isError: error !== null, content: [{ type: 'text', text }] }),
      );
  }
});

function answer(id, result) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
}

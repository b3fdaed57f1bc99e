import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  readlinkSync,
  statSync,
} from 'node:fs';
import { relative } from 'node:path';

// The minimal file server: one line in, one ASCII file read at once, one line out. With `verified`,
// the location of the opened file is checked before it is read; without, links are followed.

const [, , root, verified] = process.argv;
const O_PATH = 0o10000000;
const held = `/proc/self/fd/${openSync(root, O_PATH)}`;
const { ino } = lstatSync(root);
const buffer = Buffer.allocUnsafeSlow(1 << 20);
const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;
let rest = '';

process.stdin.setEncoding('latin1').on('data', (chunk) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop() ?? '';
  let answers = '';
  for (const line of lines) {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) continue;
    const result =
      method === 'tools/call' ? { content: [{ type: 'text', text: read(params.arguments.path) }] } : {};
    answers += `${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`;
  }
  process.stdout.write(answers, 'latin1');
});

function read(path) {
  const at = verified ? `${held}/${relative(root, path)}` : path;
  // A pipe would notice that it is opened.
  if (verified && !statSync(at).isFile()) throw new Error('Not a file');
  const fd = openSync(at, flags);
  try {
    const { size } = fstatSync(fd);
    if (verified && !isInside(fd)) throw new Error('Outside');
    return buffer.latin1Slice(0, readSync(fd, buffer, 0, size, null));
  } finally {
    closeSync(fd);
  }
}

function isInside(fd) {
  return readlinkSync(`/proc/self/fd/${fd}`).startsWith(`${root}/`) && lstatSync(root).ino === ino;
}

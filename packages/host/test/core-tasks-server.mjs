import { createInterface } from 'node:readline';

// A server of 2025-11-25 whose tool runs as a task, without a library: the task ends when it
// is read the third time.

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const task = {
  taskId: 'core-1',
  status: 'working',
  createdAt: '2026-01-01T00:00:00Z',
  ttl: null,
  pollInterval: 10,
};
const waiting = [];
let reads = 0;

const results = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { tools: {}, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } },
    serverInfo: { name: 'core-tasks', version: '1' },
  }),
  'tools/list': () => ({
    tools: [
      { name: 'job', inputSchema: { type: 'object' }, execution: { taskSupport: 'optional' } },
      { name: 'quick', inputSchema: { type: 'object' } },
    ],
  }),
  'tools/call': ({ task: wanted }) => (wanted ? { task } : { content: [{ type: 'text', text: 'at once' }] }),
  'tasks/list': ({ cursor }) => (cursor ? { tasks: [] } : { tasks: [task], nextCursor: 'more' }),
  'tasks/get': () => {
    if (++reads < 3) return task;
    task.status = 'completed';
    for (const id of waiting) send({ id, result: result() });
    return task;
  },
  'tasks/cancel': () => ({ ...task, status: 'cancelled' }),
};
const result = () => ({ content: [{ type: 'text', text: 'the core result' }] });

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params = {} } = JSON.parse(line);
  if (id === undefined) return;
  if (method === 'tasks/result') {
    if (task.status === 'completed') send({ id, result: result() });
    else waiting.push(id);
  } else {
    const answer = results[method];
    send(
      answer ? { id, result: answer(params) } : { id, error: { code: -32601, message: 'Unknown method' } },
    );
  }
});

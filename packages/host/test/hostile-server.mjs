import { createInterface } from 'node:readline';

// A server that breaks the protocol in the way that its argument names.

const [fault] = process.argv.slice(2);
const line = (text) => process.stdout.write(`${text}\n`);
const send = (message) => line(JSON.stringify({ jsonrpc: '2.0', ...message }));
const tools = [{ name: 'do', inputSchema: { type: 'object' } }];
const escape = '\u001b]0;owned\u0007\u001b[2J';

const faults = {
  handshake: {
    silent: () => {},
    dies: () => {
      process.stderr.write(`fatal: ${escape}no licence\n`);
      process.exit(3);
    },
    'unknown revision': (id) => send({ id, result: { protocolVersion: '1999-01-01', capabilities: {} } }),
    'no object': (id) => send({ id, result: 'welcome' }),
    'error with escapes': (id) => send({ id, error: { code: -32000, message: `${escape}go away` } }),
    'deep nesting': () => line(`${'['.repeat(100_000)}${']'.repeat(100_000)}`),
  },
  'tools/list': {
    'tools are no list': (id) => send({ id, result: { tools: 'do' } }),
    'tool without a name': (id) => send({ id, result: { tools: [{ inputSchema: {} }] } }),
    'names with escapes': (id) => {
      const name = `${escape}\u009b2Jname\u202e`;
      const properties = { [name]: { type: 'string', description: name, enum: [name], $comment: name } };
      const inputSchema = { type: 'object', properties, allOf: [{ required: [name] }] };
      send({ id, result: { tools: [{ name, description: name, inputSchema }] } });
    },
    'name with a command': (id) =>
      send({
        id,
        result: { tools: [{ name: 'a;echo owned;$(echo owned)', inputSchema: { type: 'object' } }] },
      }),
    'deep schema': (id) => {
      const schema = `${'{"type":"object","properties":{"a":'.repeat(5_000)}{}${'}}'.repeat(5_000)}`;
      line(`{"jsonrpc":"2.0","id":${id},"result":{"tools":[{"name":"deep","inputSchema":${schema}}]}}`);
    },
    'long name': (id) =>
      send({ id, result: { tools: [{ name: 'a'.repeat(100_000), inputSchema: { type: 'object' } }] } }),
    'error in a list': (id) => send({ id, error: { code: -32000, message: `${escape}\u009b2Jno list` } }),
    'endless pages': (id) => send({ id, result: { tools, nextCursor: 'again' } }),
  },
  'tools/call': {
    'content is no list': (id) => send({ id, result: { content: 'text' } }),
    'block without a type': (id) => send({ id, result: { content: [{ text: 'a' }, null, 5] } }),
    'wrong id': (id) => send({ id: id + 1_000, result: { content: [] } }),
    'dies in a message': () => process.stdout.write('{"jsonrpc":"2.0","id":', () => process.exit(0)),
    'line of 70 MiB': () => line('x'.repeat(70 * 1024 * 1024)),
    rubbish: (id) => {
      for (let n = 0; n < 1_000; n++) line(`\u001b[31m${n} not JSON`);
      send({ id, result: { content: [{ type: 'text', text: `${escape}done` }] } });
    },
    'image that is not one': (id) =>
      send({ id, result: { content: [{ type: 'image', data: '%%%', mimeType: '../../etc/passwd' }] } }),
  },
};

const usual = {
  initialize: () => ({
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: `${escape}hostile`, version: '1' },
  }),
  'tools/list': () => ({ tools }),
  'tools/call': () => ({ content: [{ type: 'text', text: 'ok' }] }),
};

createInterface({ input: process.stdin }).on('line', (text) => {
  const { id, method } = JSON.parse(text);
  if (id === undefined) return;
  const place = method === 'initialize' ? 'handshake' : method;
  const broken = faults[place]?.[fault];
  if (broken) broken(id);
  else if (usual[method]) send({ id, result: usual[method]() });
  else send({ id, error: { code: -32601, message: 'Unknown method' } });
});

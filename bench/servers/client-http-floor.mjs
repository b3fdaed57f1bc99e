import { createServer } from 'node:http';

// The minimal HTTP server that a client can connect to, at 2026-07-28 or by a handshake.

const opening = {
  'server/discover': () => ({
    resultType: 'complete',
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {} },
  }),
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'floor', version: '1.0.0' },
  }),
};

const listener = createServer((request, response) => {
  if (request.method !== 'POST') return response.writeHead(405).end();
  let body = '';
  request.setEncoding('utf8').on('data', (chunk) => (body += chunk));
  request.on('end', () => {
    const { id, method, params } = JSON.parse(body);
    if (id === undefined) return response.writeHead(202).end();
    const called = {
      resultType: 'complete',
      content: [{ type: 'text', text: params.arguments?.text ?? '' }],
    };
    const text = JSON.stringify({ jsonrpc: '2.0', id, result: opening[method]?.(params) ?? called });
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    });
    response.end(text);
  });
});
listener.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${listener.address().port}/mcp`));

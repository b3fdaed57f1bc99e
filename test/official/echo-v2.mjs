import { createServer } from 'node:http';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

// A server of the official SDK's second generation: over stdio, or over HTTP with the argument `http`,
// when it writes its address.

const make = () => {
  const server = new McpServer({ name: 'echo', version: '1.0.0' });
  server.registerTool('echo', { description: 'Says hello.' }, () => ({
    content: [{ type: 'text', text: 'Hello' }],
  }));
  return server;
};

const handler = createMcpHandler(make);

async function answer(incoming, outgoing) {
  const chunks = await incoming.toArray();
  const response = await handler.fetch(
    new Request(`http://${incoming.headers.host}${incoming.url}`, {
      method: incoming.method,
      headers: incoming.headers,
      ...(incoming.method === 'POST' && { body: Buffer.concat(chunks) }),
    }),
  );
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.end(Buffer.from(await response.arrayBuffer()));
}

if (process.argv[2] === 'http') {
  const listener = createServer((incoming, outgoing) => void answer(incoming, outgoing));
  listener.listen(0, '127.0.0.1', () => {
    process.stdout.write(`http://127.0.0.1:${listener.address().port}/mcp\n`);
  });
} else {
  void serveStdio(make);
}

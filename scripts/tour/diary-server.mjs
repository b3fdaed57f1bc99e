import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { defineServer, defineTool } from '@mcp/protocol';
import { serveStdio } from '@mcp/protocol/stdio';

// A server of the tour: `node diary-server.mjs <file> [port]`. The description of its tool is the text of the
// file when the server starts. It sends its process id to the port.

const [file, port] = process.argv.slice(2);
if (port !== undefined) connect(Number(port), '127.0.0.1').end(String(process.pid));

const today = defineTool({
  name: 'today',
  description: readFileSync(file, 'utf8').trim(),
  run: () => 'Planted the beans',
});
await serveStdio(defineServer({ name: 'diary', version: '1.0.0', tools: [today] }));

import { createServer } from 'node:http';

// The minimal HTTP server: parses the body, reads the id and the text.

const listener = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (chunk) => (body += chunk));
  request.on('end', () => {
    const { id, params } = JSON.parse(body);
    const result = { content: [{ type: 'text', text: params.arguments.text }] };
    const text = JSON.stringify({ jsonrpc: '2.0', id, result });
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    });
    response.end(text);
  });
});
listener.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${listener.address().port}/mcp`));

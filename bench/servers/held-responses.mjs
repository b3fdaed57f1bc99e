import { createServer } from 'node:http';

// Holds each response open after its first event, as a server does for a client that listens.

const listener = createServer((request, response) => {
  request.resume().on('end', () => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.write('data: {"method":"acknowledged"}\n\n');
  });
});
listener.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${listener.address().port}/mcp`));

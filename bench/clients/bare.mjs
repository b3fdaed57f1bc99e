import { spawn } from 'node:child_process';
import { run } from './run.mjs';

// The minimal client, a loop: writes a line or a request, finds the call by its id, and checks nothing.

await run(async ({ url, command, args }) => {
  const waiting = new Map();
  let lastId = 0;
  const { write, close } = url ? byHttp(url, received) : byPipe(command, args, received);
  function received(text) {
    const { id, result } = JSON.parse(text);
    waiting.get(id)(result);
    waiting.delete(id);
  }
  const send = (method, params) =>
    new Promise((resolve) => {
      const id = ++lastId;
      waiting.set(id, resolve);
      write(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    });
  if (!url) await send('initialize', { protocolVersion: '2025-11-25' });
  return { call: (name, given) => send('tools/call', { name, arguments: given }), close };
});

function byPipe(command, args, received) {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    for (const line of lines) received(line);
  });
  let queue = '';
  const flush = () => {
    child.stdin.write(queue);
    queue = '';
  };
  const write = (text) => {
    if (queue === '') setImmediate(flush);
    queue += `${text}\n`;
  };
  return { write, close: () => child.stdin.end() };
}

function byHttp(url, received) {
  // An import would load the platform's fetch as well.
  const http = process.getBuiltinModule('node:http');
  const { hostname, port, pathname, host } = new URL(url);
  const agent = new http.Agent({ keepAlive: true, scheduling: 'lifo' });
  const options = { agent, hostname, port, path: pathname, method: 'POST' };
  const write = (text) => {
    const length = String(Buffer.byteLength(text));
    const headers = ['host', host, 'content-type', 'application/json', 'content-length', length];
    const request = http.request({ ...options, headers }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk) => (body += chunk));
      response.on('end', () => received(body));
    });
    request.end(text);
  };
  return { write, close: () => agent.destroy() };
}

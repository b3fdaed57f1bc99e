import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { run } from './run.mjs';

// The minimal client: writes its lines by hand, and takes any output for the answer.

await run(async ({ command, args }) => {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const send = async (method, params) => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })}\n`);
    await once(child.stdout, 'data');
  };
  await send('initialize', { protocolVersion: '2025-11-25' });
  return {
    call: (name, given) => send('tools/call', { name, arguments: given }),
    close: () => child.stdin.end(),
  };
});

import { Client } from '@mcp/protocol/client';
import { statelessScript } from './scripted-server.ts';

// A host that never ends by itself, with two servers; one of them has ended already.
// The other ignores the end of its input and SIGTERM.
const ended = await Client.connect(statelessScript(`on.pid = () => ({ pid: process.pid });`));
await ended.close();
const client = await Client.connect(
  statelessScript(`on.pid = () => ({ pid: process.pid });
    process.on('SIGTERM', () => {});
    setInterval(() => {}, 1000);`),
);
process.stdout.write(String((await client.request('pid'))['pid']));
setInterval(() => {}, 1_000);

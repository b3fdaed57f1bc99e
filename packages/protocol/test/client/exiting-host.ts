import { Client } from '@mcp/protocol/client';
import { statelessScript } from './scripted-server.ts';

// A host that exits without a word to its server, which ignores the end of its input.
const client = await Client.connect(
  statelessScript(`on.pid = () => ({ pid: process.pid }); setInterval(() => {}, 1000);`),
);
process.stdout.write(String((await client.request('pid'))['pid']));
setTimeout(() => process.exit(), 50);

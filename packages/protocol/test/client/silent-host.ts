import { spawnServer } from '@mcp/protocol/stdio';

// A host that never ends by itself, of a server that writes nothing and ignores the end of
// its input and SIGTERM.
const loop = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);`;
const { child } = spawnServer({ command: process.execPath, args: ['-e', loop] });
process.stdout.write(String(child.pid));
setInterval(() => {}, 1_000);

import { globSync, rmSync } from 'node:fs';

// The packages that ship Node bring its headers too, 67 MB of 188: nothing is compiled against them here.

for (const headers of globSync('node_modules/node-*/include')) rmSync(headers, { recursive: true });

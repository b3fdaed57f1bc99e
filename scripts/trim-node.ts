import { globSync, rmSync } from 'node:fs';

// The packages that ship Node contain its headers, 67 MB of 188, which are not needed: no native code is compiled.

for (const headers of globSync('node_modules/node-*/include')) rmSync(headers, { recursive: true });

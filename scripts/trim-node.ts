import { readdirSync, rmSync } from 'node:fs';

// The packages that ship Node contain its headers, which are not needed: no native code is compiled.

for (const name of readdirSync('node_modules').filter((each) => each.startsWith('node-'))) {
  rmSync(`node_modules/${name}/include`, { recursive: true, force: true });
}

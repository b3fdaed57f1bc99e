import { renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

// Replaces a file by 200,000 of the letters a and b, as fast as possible: replace-file.ts <file>

const [path = ''] = process.argv.slice(2);
const other = `${dirname(path)}/.new`;
for (let count = 0; ; count++) {
  writeFileSync(other, (count % 2 === 0 ? 'a' : 'b').repeat(200_000));
  renameSync(other, path);
  if (count === 1) process.stdout.write('ready\n');
}

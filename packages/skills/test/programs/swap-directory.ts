import { renameSync, symlinkSync, unlinkSync } from 'node:fs';
import { dirname } from 'node:path';

// Replaces a directory by a link and back, as fast as possible: swap-directory.ts <directory> <target>

const [path = '', target = ''] = process.argv.slice(2);
const kept = `${dirname(path)}/.kept`;
const link = `${dirname(path)}/.link`;
for (let count = 0; ; count++) {
  symlinkSync(target, link);
  renameSync(path, kept);
  renameSync(link, path);
  unlinkSync(path);
  renameSync(kept, path);
  if (count === 0) process.stdout.write('ready\n');
}

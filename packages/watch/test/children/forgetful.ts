// Watches, and ends without closing anything.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Watcher } from '../../src/index.ts';
import { print } from './print.ts';

for (const poll of [false, true]) {
  const watcher = new Watcher({ poll, pollMs: 20 });
  await watcher.watch(join(tmpdir(), 'missing', 'file'), () => {});
}
print('at the end');

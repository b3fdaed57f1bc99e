// Watches files in three directories while the system has too few watches, and prints its notifications.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Watcher } from '../../src/index.ts';
import { print } from './print.ts';

const root = mkdtempSync(join(tmpdir(), 'watch-'));
const watcher = new Watcher({ onWarning: (warning) => print({ warning }), pollMs: 20 });
const alive = setInterval(() => {}, 1000);

for (const name of ['one', 'two', 'three']) {
  mkdirSync(join(root, name));
  const path = join(root, name, 'file');
  let reported = () => {};
  await watcher.watch(path, () => reported());
  for (const text of ['text', 'TEXT']) {
    const reporting = new Promise<void>((resolve) => (reported = resolve));
    writeFileSync(path, text);
    await reporting;
    print({ reported: `${name}: ${text}` });
  }
}

watcher.close();
clearInterval(alive);
rmSync(root, { recursive: true });

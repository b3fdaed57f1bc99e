// Watches files in three directories while the system has too few watches, and says what it hears.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Watcher } from '../../src/index.ts';
import { say } from './say.ts';

const root = mkdtempSync(join(tmpdir(), 'watch-'));
const watcher = new Watcher({ warn: (warning) => say({ warning }), pollMs: 20 });
const alive = setInterval(() => {}, 1000);

for (const name of ['one', 'two', 'three']) {
  mkdirSync(join(root, name));
  const path = join(root, name, 'file');
  let told = () => {};
  await watcher.watch(path, () => told());
  for (const text of ['text', 'TEXT']) {
    const telling = new Promise<void>((resolve) => (told = resolve));
    writeFileSync(path, text);
    await telling;
    say({ told: `${name}: ${text}` });
  }
}

watcher.close();
clearInterval(alive);
rmSync(root, { recursive: true });

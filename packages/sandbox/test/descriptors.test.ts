import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);
const prober = new URL('../src/network/path-prober.ts', import.meta.url).href;

test('a path prober reports false while no descriptor is left and works again afterwards', async () => {
  const program = `
    import { closeSync, openSync } from 'node:fs';
    const { PathProber } = await import('${prober}');
    const prober = new PathProber(10_000);
    const held = [];
    try {
      for (;;) held.push(openSync('/dev/null'));
    } catch {}
    const without = await Promise.all(['/', '/tmp'].map((path) => prober.probe('stat', path)));
    for (const fd of held) closeSync(fd);
    console.log(JSON.stringify([...without, await prober.probe('stat', '/')]));
    process.exit();`;
  const { stdout } = await run('sh', [
    '-c',
    'ulimit -n 200; exec "$0" --no-warnings --input-type=module -e "$1"',
    process.execPath,
    program,
  ]);
  expect(JSON.parse(stdout)).toEqual([false, false, true]);
});

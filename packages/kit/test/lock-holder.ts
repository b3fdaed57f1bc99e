import { appendFileSync } from 'node:fs';
import { once } from 'node:events';
import { withFileLock } from '../src/node.ts';

// Takes a lock so many times; writes `in` and `out` to a log. Without a count it holds the
// lock until stdin ends.

const [path, log, count] = process.argv.slice(2) as [string, string, string | undefined];
for (let turn = 0; turn < Number(count ?? 1); turn++) {
  await withFileLock(path, async () => {
    appendFileSync(log, `in ${process.pid}\n`);
    if (count === undefined) await once(process.stdin.resume(), 'end');
    else await new Promise((resolve) => setImmediate(resolve));
    appendFileSync(log, `out ${process.pid}\n`);
  });
}

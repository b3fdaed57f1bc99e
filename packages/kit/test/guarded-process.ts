import { spawn } from 'node:child_process';
import { OrphanGuard } from '../src/node.ts';

// Starts two process groups, which hold the descriptors 3 and 4 open; the second is taken back. Prints a line
// when both are started, and lives until it is killed.

const [pauseSeconds, trap = ''] = process.argv.slice(2);
// The planned start is due before `startWithin(0)` is called, and no turn of the event loop comes between.
const guard = new OrphanGuard({ spawn, pauseSeconds: Number(pauseSeconds), graceSeconds: 1, startMs: 1 });

const groups = [3, 4].map((descriptor) => {
  const program = `${trap} while :; do sleep 1; done`;
  const child = spawn('/bin/sh', ['-c', program], {
    detached: true,
    stdio: ['ignore', descriptor, 'ignore'],
  });
  guard.add(child.pid!);
  return child.pid!;
});
guard.startWithin(0);
guard.remove(groups[1]!);
process.stdout.write(`${groups.join(' ')}\n`);
setInterval(() => {}, 60_000);

import { parseArgs } from 'node:util';
import { requireNginx } from '../nginx.ts';
import { destroy } from './destroy.ts';

// Proof by destruction, with which `pnpm replicas` ends.
// `pnpm --dir conformance run destroy --minutes 5 --seed 7`

requireNginx();
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    minutes: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    clients: { type: 'string', default: '4' },
  },
});
const seconds = values.minutes === undefined ? Number(values.seconds) : Number(values.minutes) * 60;
const [seed, clients] = [Number(values.seed), Number(values.clients)];
for (const [name, value] of Object.entries({ seconds, seed, clients }))
  if (!Number.isInteger(value) || value < 0) {
    console.error(`Invalid --${name}: ${value}; expected an integer of 0 or more`);
    process.exit(2);
  }

const ledger = await destroy({ seconds, seed, clients, log: console.log });
console.log(ledger.lines.join('\n'));
for (const violation of ledger.violations) console.error(`Violated: ${violation}`);
if (ledger.of('calls answered') === 0) console.error('No call was answered');
const failed = ledger.violations.length > 0 || ledger.of('calls answered') === 0;
console.log(failed ? `Failed; again with --seed ${seed}` : 'Nothing was lost, doubled, dropped or forgotten');
process.exitCode = failed ? 1 : 0;

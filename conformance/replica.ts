import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { serveHttp } from '@mcp/protocol/http';
import { Watcher } from '@mcp/watch';
import type { Changes } from './fixture/changes.ts';
import { fixture } from './fixture/fixture.ts';

// One of several processes behind a load balancer. Usage: replica.ts <shared directory>; the key that
// seals the state of round trips and the sessions comes in STATE_KEY, as 64 hexadecimal digits.

const [directory = '.'] = process.argv.slice(2);

/** Changes as files, which every replica watches. */
const changes: Changes = {
  tell: (list) => writeFile(join(directory, list), String(performance.now())),
  async hear(changed) {
    const watcher = new Watcher();
    for (const list of ['tools', 'prompts'] as const) {
      await watcher.watch(join(directory, list), () => changed(list));
    }
  },
};

const stateKey = Buffer.from(process.env['STATE_KEY'] ?? '', 'hex');
const { url } = await serveHttp(await fixture({ changes, stateKey }), {
  sealedSessions: true,
  limits: { maxStreamMs: 500, retryMs: 300 },
});
console.log(url);

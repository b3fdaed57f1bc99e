import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requireNginx, startNginx } from './nginx.ts';
import { newest, report, runSuite } from './suite.ts';

// Runs the official suite against three replicas of the fixture behind nginx. At 2026-07-28 every request is
// self-contained, so that any replica can answer it. In older revisions, nginx chooses a replica by the id
// of the session. It need not be the replica that began the session, because any can open it. `pnpm replicas`

requireNginx();

const directory = await mkdtemp(join(tmpdir(), 'mcp-replicas-'));
const env = { ...process.env, STATE_KEY: randomBytes(32).toString('hex') };
const replicas = [1, 2, 3].map(() =>
  spawn(process.execPath, ['replica.ts', directory], { env, stdio: ['ignore', 'pipe', 'inherit'] }),
);
const upstreams = await Promise.all(
  replicas.map(async ({ stdout }) => new URL(String(await once(stdout, 'data')).trim()).host),
);

// Without a session: round robin.
const { url, nginx } = await startNginx(directory, upstreams, 'hash $http_mcp_session_id consistent;');
for (const version of ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26']) {
  const outcome = await runSuite(newest, url, ['--suite', 'all', '--spec-version', version]);
  report(`three replicas, ${version}`, outcome);
}
for (const child of [nginx, ...replicas]) child.kill();
await Promise.all([nginx, ...replicas].map((child) => once(child, 'exit')));
await rm(directory, { recursive: true });

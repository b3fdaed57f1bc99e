import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newest, report, runSuite } from './suite.ts';

// Runs the official suite against three replicas of the fixture behind nginx. At 2026-07-28 every request is
// self-contained, so that any replica can answer it. In older revisions, nginx chooses a replica by the id
// of the session. It need not be the replica that began the session, because any can open it. `pnpm replicas`

if (spawnSync('nginx', ['-v']).error) {
  console.error('This needs nginx: apt-get install nginx-light');
  process.exit(1);
}

const directory = await mkdtemp(join(tmpdir(), 'mcp-replicas-'));
const env = { ...process.env, STATE_KEY: randomBytes(32).toString('hex') };
const replicas = [1, 2, 3].map(() =>
  spawn(process.execPath, ['replica.ts', directory], { env, stdio: ['ignore', 'pipe', 'inherit'] }),
);
const upstreams = await Promise.all(
  replicas.map(async ({ stdout }) => new URL(String(await once(stdout, 'data')).trim()).host),
);

const port = await freePort();
const config = join(directory, 'nginx.conf');
await writeFile(config, nginxConfig(port, upstreams));
const nginx = spawn('nginx', ['-c', config, '-p', directory], { stdio: 'inherit' });
await listening(port);

const url = `http://127.0.0.1:${port}/mcp`;
for (const version of ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26']) {
  const outcome = await runSuite(newest, url, ['--suite', 'all', '--spec-version', version]);
  report(`three replicas, ${version}`, outcome);
}
for (const child of [nginx, ...replicas]) child.kill();
await Promise.all([nginx, ...replicas].map((child) => once(child, 'exit')));
await rm(directory, { recursive: true });

function nginxConfig(at: number, servers: readonly string[]): string {
  return `
daemon off;
pid nginx.pid;
error_log stderr warn;
events {}
http {
  access_log off;
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;

  upstream replicas {
    # Without a session: round robin.
    hash $http_mcp_session_id consistent;
${servers.map((server) => `    server ${server};`).join('\n')}
    keepalive 32;
  }
  server {
    listen 127.0.0.1:${at};
    location / {
      proxy_pass http://replicas;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_read_timeout 1h;
    }
  }
}
`;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: free } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return free;
}

/** Resolves when the port accepts connections. */
async function listening(at: number): Promise<void> {
  for (;;) {
    const socket = connect(at, '127.0.0.1');
    const connected = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (connected) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';

/** Exits with a message unless nginx is installed. */
export function requireNginx(): void {
  if (!spawnSync('nginx', ['-v']).error) return;
  console.error('This needs nginx: apt-get install nginx-light');
  process.exit(1);
}

/** Starts nginx in front of `servers`. `balance` is a line of its upstream; default: they serve in turn. */
export async function startNginx(
  directory: string,
  servers: readonly string[],
  balance = '',
): Promise<{ readonly url: string; readonly nginx: ChildProcess }> {
  const port = await freePort();
  const config = join(directory, 'nginx.conf');
  await writeFile(config, nginxConfig(port, servers, balance));
  const nginx = spawn('nginx', ['-c', config, '-p', directory], { stdio: 'inherit' });
  await listening(port);
  return { url: `http://127.0.0.1:${port}/mcp`, nginx };
}

function nginxConfig(at: number, servers: readonly string[], balance: string): string {
  return `
daemon off;
pid nginx.pid;
error_log stderr ${balance === '' ? 'emerg' : 'warn'};
events {}
http {
  access_log off;
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;

  upstream replicas {
    ${balance}
${servers.map((server) => `    server ${server} max_fails=0;`).join('\n')}
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

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Resolves when the port accepts connections; rejects after 30 seconds. */
export async function listening(at: number): Promise<void> {
  const until = performance.now() + 30_000;
  while (performance.now() < until) {
    const socket = connect(at, '127.0.0.1');
    const connected = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (connected) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`Nothing listens at port ${at} after 30 seconds`);
}

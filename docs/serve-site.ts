import { once } from 'node:events';
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
};

/**
 * Serves the files of a directory on the loopback interface, below the path `base`, as GitHub Pages does: a
 * directory by its `index.html`, a name without an extension also by the file with `.html`. Anything else is
 * 404.
 */
export async function serveSite(
  directory: string,
  base: string,
): Promise<AsyncDisposable & { readonly origin: string }> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const path = decodeURIComponent(pathname);
    const file = path.startsWith(base) && fileOf(join(directory, path.slice(base.length)));
    if (!file) return void response.writeHead(404).end();
    response.setHeader('Content-Type', types[extname(file)] ?? 'application/octet-stream');
    createReadStream(file).pipe(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await Promise.resolve();
    },
  };
}

function fileOf(path: string): string | undefined {
  return [path, `${path}.html`, join(path, 'index.html')].find(
    (each) => existsSync(each) && statSync(each).isFile(),
  );
}

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename } from 'node:path';
import type { Packed } from './pack.ts';

/** A registry of packed packages on the loopback, for the scope @mcp. */
export interface PackageRegistry extends AsyncDisposable {
  /** Such as `http://127.0.0.1:4873/`. */
  readonly url: string;
}

/** Serves packed packages as a registry does, each in its one version. Other packages come from the usual registry. */
export async function servePackages(packages: readonly Packed[]): Promise<PackageRegistry> {
  const answers = new Map<string, () => string | Buffer>();
  const server = createServer(({ url = '/' }, response) => {
    const answer = answers.get(decodeURIComponent(url.slice(1)));
    response.statusCode = answer ? 200 : 404;
    response.end(answer?.() ?? '{"error":"Not found"}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  for (const { name, tarball } of packages) {
    const file = `tarballs/${basename(tarball)}`;
    answers.set(file, () => readFileSync(tarball));
    answers.set(name, () => JSON.stringify(packument(tarball, `${url}${file}`)));
  }
  return {
    url,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** What a registry answers about a package. */
function packument(tarball: string, url: string): object {
  const data = readFileSync(tarball);
  const manifest = JSON.parse(
    execFileSync('tar', ['xzOf', tarball, 'package/package.json'], { encoding: 'utf8' }),
  ) as { name: string; version: string };
  const { name, version } = manifest;
  const dist = {
    tarball: url,
    shasum: createHash('sha1').update(data).digest('hex'),
    integrity: `sha512-${createHash('sha512').update(data).digest('base64')}`,
  };
  return {
    name,
    'dist-tags': { latest: version },
    versions: { [version]: { ...manifest, dist } },
    time: { [version]: released },
  };
}

/** Package managers refuse versions that are only days old. */
const released = '2026-01-01T00:00:00.000Z';

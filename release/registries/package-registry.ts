import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import type { Packed } from '../pack/pack.ts';
import { integrityOf, manifestIn, type TarballManifest } from '../pack/tarball.ts';
import { listen, type Listening } from './listen.ts';

/** A registry of packages on the loopback, for the scope @mcp. */
export interface PackageRegistry extends Listening {
  /** The names of the packages in the order in which they were published. */
  readonly published: readonly string[];
}

/** How a registry accepts packages: with this token, unless `refusal` returns a reason. */
export interface Publishing {
  readonly token: string;
  /** Called for each package that is published. Returns why it is refused; undefined if it is accepted. */
  refusal(name: string): string | undefined;
}

/**
 * Serves packed packages as a registry does, each in its one version. If `publishing` is given, also accepts
 * and serves packages that are published. All other packages come from the usual registry.
 */
export async function servePackages(
  packages: readonly Packed[],
  publishing?: Publishing,
): Promise<PackageRegistry> {
  const published: string[] = [];
  const answers = new Map<string, string | Buffer>();
  const add = (manifest: TarballManifest, data: Buffer) => {
    const file = `tarballs/${manifest.name}-${manifest.version}.tgz`;
    answers.set(file, data);
    answers.set(manifest.name, JSON.stringify(packument(manifest, data, `${url}/${file}`)));
    published.push(manifest.name);
  };
  const server = createServer((request, response) => {
    const path = decodeURIComponent((request.url ?? '/').slice(1));
    if (request.method === 'PUT') return void take(request, response, publishing, add);
    const answer = answers.get(path);
    response.statusCode = answer === undefined ? 404 : 200;
    response.end(answer ?? '{"error":"Not found"}');
  });
  const listening = await listen(server);
  const { url } = listening;
  for (const { tarball } of packages) add(manifestIn(tarball), readFileSync(tarball));
  return { ...listening, published };
}

/** The request of npm that publishes a version. */
interface Publication {
  readonly versions: Readonly<
    Record<string, TarballManifest & { readonly dist: { readonly integrity: string } }>
  >;
  readonly _attachments: Readonly<Record<string, { readonly data: string }>>;
}

/** Accepts a version that npm publishes, or answers with the reason of a refusal. */
async function take(
  request: IncomingMessage,
  response: ServerResponse,
  publishing: Publishing | undefined,
  add: (manifest: TarballManifest, data: Buffer) => void,
): Promise<void> {
  const refuse = (status: number, error: string) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
  const { versions, _attachments } = (await json(request)) as Publication;
  if (request.headers.authorization !== `Bearer ${publishing?.token}`)
    return void refuse(401, 'Unauthorized');
  const [manifest] = Object.values(versions);
  const [attachment] = Object.values(_attachments);
  if (!manifest || !attachment) return void refuse(400, 'No version');
  const refusal = publishing?.refusal(manifest.name);
  if (refusal !== undefined) return void refuse(403, refusal);
  const data = Buffer.from(attachment.data, 'base64');
  if (manifest.dist.integrity !== integrityOf(data)) return void refuse(400, 'Wrong integrity');
  add(manifest, data);
  response.writeHead(201, { 'content-type': 'application/json' }).end('{"ok":true}');
}

/** What a registry answers about a package. */
function packument(manifest: TarballManifest, data: Buffer, url: string): object {
  const { name, version } = manifest;
  const dist = {
    tarball: url,
    shasum: createHash('sha1').update(data).digest('hex'),
    integrity: integrityOf(data),
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

import { HttpServer, type Reply } from '@mcp/test-kit/http-server';
import { onTestFinished } from 'vitest';

const official = 'io.modelcontextprotocol.registry/official';

/** A version of a server in a registry, by the API v0.1. */
export function listed(server: object, meta: object = {}) {
  return {
    server: { description: 'A server', version: '1.0.2', ...server },
    _meta: { [official]: { status: 'active', publishedAt: '2026-01-02T03:04:05Z', isLatest: true, ...meta } },
  };
}

/** A registry with these servers, the newest version of each first. */
export async function registry(servers: readonly ReturnType<typeof listed>[]) {
  const http = await HttpServer.start();
  onTestFinished(() => http[Symbol.asyncDispose]());
  const { routes, origin } = http;
  const nameOf = ({ server }: (typeof servers)[number]) => (server as { name?: string }).name ?? '';
  const at = (path: string, reply: (url: URL) => Reply) => {
    routes[path] = ({ url }) => reply(url);
  };
  at('/v0.1/servers', ({ searchParams }) => {
    const found = servers.filter((each) => nameOf(each).includes(searchParams.get('search') ?? ''));
    const [from, size] = [Number(searchParams.get('cursor') ?? 0), Number(searchParams.get('limit'))];
    const next = from + size < found.length ? String(from + size) : undefined;
    return { json: { servers: found.slice(from, from + size), metadata: { nextCursor: next } } };
  });
  for (const name of new Set(servers.map(nameOf))) {
    const path = `/v0.1/servers/${encodeURIComponent(name)}/versions`;
    const versions = servers.filter((each) => nameOf(each) === name);
    at(path, () => ({ json: { servers: versions } }));
    for (const each of versions.toReversed())
      for (const version of [each.server.version, 'latest']) at(`${path}/${version}`, () => ({ json: each }));
  }
  return { http, routes, origin, at };
}

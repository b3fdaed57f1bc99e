import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { listen, type Listening } from './listen.ts';

/** An MCP registry on the loopback, with the issuer of identity tokens beside it. */
export interface EntryRegistry extends Listening {
  /** The environment of a workflow that may request an identity token. */
  readonly environment: Readonly<Record<string, string>>;
  /** The names of the entries in the order in which they were published. */
  readonly published: readonly string[];
}

interface Entry {
  readonly name: string;
  readonly version: string;
}

/** Serves the requests that publishing an entry makes. It fails once, at the entry `failing`. */
export async function serveEntries(failing: string): Promise<EntryRegistry> {
  const published: string[] = [];
  const entries = new Map<string, Entry>();
  let failed = false;

  const identity = (query: URLSearchParams) => {
    // The registry accepts only a token with this audience.
    if (query.get('audience') !== url) return [400, { error: 'Wrong audience' }] as const;
    return [200, { value: 'identity' }] as const;
  };
  const publish = (entry: Entry) => {
    const key = `${entry.name}/versions/${entry.version}`;
    if (entry.name === failing && !failed) {
      failed = true;
      return [503, { error: 'The registry is down' }] as const;
    }
    if (entries.has(key)) return [400, { error: 'cannot publish duplicate version' }] as const;
    entries.set(key, entry);
    published.push(entry.name);
    return [200, { server: entry }] as const;
  };

  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://registry');
    const bearer = request.headers.authorization;
    const answer = async () => {
      const body = request.method === 'POST' ? ((await json(request)) as object) : {};
      if (pathname === '/identity' && bearer === 'Bearer workflow') return identity(searchParams);
      if (pathname === '/v0/auth/github-oidc' && 'oidc_token' in body && body.oidc_token === 'identity') {
        return [200, { registry_token: 'registry' }] as const;
      }
      if (pathname === '/v0/publish' && bearer === 'Bearer registry') return publish(body as Entry);
      const found = entries.get(decodeURIComponent(pathname.replace('/v0/servers/', '')));
      return found ? ([200, { server: found }] as const) : ([404, { error: 'Not found' }] as const);
    };
    void answer().then(([status, body]) => response.writeHead(status).end(JSON.stringify(body)));
  });
  const listening = await listen(server);
  const { url } = listening;
  return {
    ...listening,
    environment: {
      ACTIONS_ID_TOKEN_REQUEST_URL: `${url}/identity?version=1`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'workflow',
    },
    published,
  };
}

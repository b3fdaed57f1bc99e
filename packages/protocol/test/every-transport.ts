import { Client, type ClientOptions, HttpChannel, SseChannel } from '@mcp/protocol/client';
import type { Server } from '@mcp/protocol';
import { serveHttp } from '@mcp/protocol/http';
import { spawnServer } from '@mcp/protocol/stdio';
import { connect } from '@mcp/protocol/testing';
import { describe } from 'vitest';
import { versions } from '../src/revisions/table.ts';
import { fixtureProgram } from './fixtures/fixture-program.ts';

/** Makes a client of a new server of the fixture. */
export type Connect = (options?: ClientOptions) => Promise<Client>;

interface Transport {
  /** Whether a client of this revision would be found there. */
  carries(version: string): boolean;
  connect(fixture: Fixture, options: ClientOptions): Promise<Client>;
}

/** A server, and a program in `fixtures/` that serves it over stdio. */
export interface Fixture {
  readonly server: () => Server;
  readonly program: string;
}

const stateless = versions[0]!;
const sse = { path: '/sse', postPath: '/messages' };

const transports: { readonly [name: string]: Transport } = {
  memory: {
    carries: () => true,
    connect: ({ server }, options) => connect(server(), options),
  },
  stdio: {
    carries: () => true,
    async connect({ program }, options) {
      const { channel } = spawnServer({
        command: process.execPath,
        args: [fixtureProgram(program)],
        inheritEnv: ['NODE_COMPILE_CACHE'],
      });
      return Client.connect(channel, options);
    },
  },
  'HTTP, stateless': {
    carries: (version) => version === stateless,
    connect: overHttp(),
  },
  'HTTP, in a session': {
    carries: (version) => version !== stateless,
    connect: overHttp(),
  },
  'HTTP+SSE': {
    carries: (version) => version === versions.at(-1),
    async connect({ server }, options) {
      const listener = await serveHttp(server(), { sse });
      const channel = new SseChannel(new URL(sse.path, listener.url).href);
      return closingWith(listener, await Client.connect(channel, options));
    },
  },
};

function overHttp(): Transport['connect'] {
  return async ({ server }, options) => {
    const listener = await serveHttp(server());
    return closingWith(listener, await Client.connect(new HttpChannel(listener.url), options));
  };
}

function closingWith(listener: { close(): Promise<void> }, client: Client): Client {
  const close = client.close.bind(client);
  client.close = async () => {
    await close();
    await listener.close();
  };
  return client;
}

/** Runs one body of tests over every transport, at every revision that it carries. */
export function overEveryTransport(
  fixture: Fixture,
  body: (connectTo: Connect, protocolVersion: string) => void,
): void {
  describe.each(Object.keys(transports))('over %s', (name) => {
    const transport = transports[name]!;
    describe.each(versions.filter((version) => transport.carries(version)))('at %s', (revision) => {
      body((options) => transport.connect(fixture, { ...options, revision }), revision);
    });
  });
}

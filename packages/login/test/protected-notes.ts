import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Call, defineResource, defineServer, defineTool } from '@mcp/protocol';
import { httpHandler } from '@mcp/protocol/http';
import { type LoginCaller, passphraseLogin, type PassphraseLoginOptions } from '@mcp/login';

export const passphrase = 'correct horse battery';

/** A server with a login on the loopback: tools that say who calls, and one that needs a scope. */
export interface Notes extends AsyncDisposable {
  readonly origin: string;
  readonly url: string;
  readonly file: string;
  /** The events that an operator would see. */
  readonly events: string[];
  /** The methods of the requests of HTTP, and what they are about: `POST subscriptions/listen`. */
  readonly requests: string[];
  /** Notifies those who watch the resource `note:///1`. */
  changeNote(): void;
  /** Ends the server, and starts it anew on the same port and file. */
  restart(options?: Partial<PassphraseLoginOptions>): Promise<void>;
}

function notes(watchers: Set<() => void>) {
  const who = defineTool({
    name: 'who',
    description: 'Says who calls.',
    run: (_, { caller }: Call<object, LoginCaller>) =>
      `${caller.principal} by ${caller.client.name} with ${caller.scopes.join(' ')}`,
  });
  const write = defineTool({
    name: 'write',
    description: 'Writes a note.',
    requires: ['notes:write'],
    run: () => 'Written',
  });
  const note = defineResource({
    uri: 'note:///1',
    name: 'note',
    read: () => 'A note',
    watch: (_, changed) => {
      watchers.add(changed);
      return () => void watchers.delete(changed);
    },
  });
  return defineServer({ name: 'notes', version: '1.0.0', tools: [who, write], resources: [note] });
}

interface Surroundings {
  /** The origin that clients know, as behind a tunnel. Default: that of the listener. */
  readonly origin?: string;
  /** The scopes that every request needs. */
  readonly requiredScopes?: readonly string[];
}

export async function startNotes(
  options: Partial<PassphraseLoginOptions> = {},
  { origin, requiredScopes = [] }: Surroundings = {},
): Promise<Notes> {
  const directory = mkdtempSync(join(tmpdir(), 'mcp-login-'));
  const file = options.file ?? join(directory, 'login.json');
  const events: string[] = [];
  const watchers = new Set<() => void>();
  const requests: string[] = [];
  const http = createServer((request, response) => {
    requests.push(`${request.method} ${String(request.headers['mcp-method'] ?? request.url)}`);
    handler.node(request, response);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const local = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const url = `${origin ?? local}/mcp`;
  const open = async (more: Partial<PassphraseLoginOptions> = {}) => {
    const scopes = ['notes:read', 'notes:write'];
    const onEvent = (message: string) => void events.push(message);
    const login = await passphraseLogin({
      passphrase,
      url,
      file,
      scopes,
      name: 'Notes',
      onEvent,
      ...options,
      ...more,
    });
    const limits = { recheckMs: 50 };
    return httpHandler(notes(watchers), { authorization: { ...login, requiredScopes }, limits });
  };
  let handler = await open();
  return {
    origin: local,
    url: `${local}/mcp`,
    file,
    events,
    requests,
    changeNote: () => watchers.forEach((changed) => changed()),
    async restart(more) {
      await handler.close();
      handler = await open(more);
    },
    async [Symbol.asyncDispose]() {
      await handler.close();
      http.closeAllConnections();
      http.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

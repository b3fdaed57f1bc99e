import { expect } from 'vitest';
import { type Caller, defineTool, elicit, inputRequired, jsonSchema } from '@mcp/protocol';
import { type Authorization, httpHandler } from '../../src/http.ts';
import type { JsonObject } from '../../src/jsonrpc/message.ts';
import { HttpWire, messageOf, refusal } from '../http/http-wire.ts';
import { requirement } from './requirement.ts';
import { example, stateless } from './wire.ts';

const resource = 'https://mcp.example/mcp';
const resource_metadata = 'https://mcp.example/.well-known/oauth-protected-resource/mcp';

const metadata = {
  resource,
  authorizationServers: ['https://login.example'],
  scopesSupported: ['files:read', 'files:write', 'offline_access'],
} as const;

/** Tokens as an authorization server may have issued them. */
const issued: {
  readonly [token: string]: { readonly audience: string; readonly expired?: true } & Caller;
} = {
  alice: { audience: resource, principal: 'alice', scopes: ['files:read', 'files:write'] },
  bob: { audience: resource, principal: 'bob', scopes: ['files:read', 'files:write'] },
  reader: { audience: resource, principal: 'reader', scopes: ['files:read'] },
  elsewhere: { audience: 'https://other.example', principal: 'alice', scopes: ['files:read', 'files:write'] },
  old: { audience: resource, expired: true, principal: 'alice', scopes: ['files:read', 'files:write'] },
};

const authorization: Authorization = {
  verify: (token) => {
    const known = issued[token];
    return known?.audience === resource && !known.expired ? known : undefined;
  },
  requiredScopes: ['files:read', 'files:write'],
  metadata,
};

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const hello = defineTool({ name: 'hello', description: 'Greets.', run: () => 'Hello' });
const server = example({ tools: [hello] });
const served = (version: string, options = authorization) =>
  HttpWire.open(server, version, { authorization: options }, {}, bearer('alice'));

const challenge = (...parameters: string[]) =>
  `Bearer ${[...parameters, 'scope="files:read files:write"', `resource_metadata="${resource_metadata}"`].join(', ')}`;

requirement(
  ['AUTH-01', 'AUTH-02', 'AUTH-04', 'AUTH-05', 'AUTH-06', 'AUTH-09'],
  'the refusal of a request without a token names the authorization server and the scopes',
  async (version) => {
    await using wire = await served(version);
    for (const response of [await wire.call('hello'), await wire.get(), await wire.delete()]) {
      expect(response.headers.get('www-authenticate')).toBe(challenge());
      expect(await refusal(response)).toEqual([401, { code: -32600, message: 'A valid token is needed' }]);
    }
    expect((await wire.call('hello', {}, { authorization: 'Basic YTpi' })).status).toBe(401);
    // Not even by the address.
    const { url } = wire;
    expect((await fetch(`${url}?access_token=alice`, { method: 'POST' })).status).toBe(401);
    expect((await wire.call('hello', {}, bearer('alice'))).status).toBe(200);
    expect((await wire.call('hello', {}, { authorization: 'bearer  alice' })).status).toBe(200);
  },
);

requirement(
  ['AUTH-07', 'AUTH-08', 'AUTH-09', 'SEC-01', 'SEC-02'],
  'a token that is unknown, expired or for another server is refused on every request',
  async (version) => {
    await using wire = await served(version);
    for (const token of ['unknown', 'old', 'elsewhere', 'ALICE', 'alic', 'alicee']) {
      const response = await wire.call('hello', {}, bearer(token));
      expect([token, response.status]).toEqual([token, 401]);
      expect(response.headers.get('www-authenticate')).toBe(challenge('error="invalid_token"'));
    }
  },
);

requirement('AUTH-08', 'no handler gets the token of the client', async (version) => {
  let seen = '';
  const look = defineTool({
    name: 'look',
    description: 'Looks at all it gets.',
    run: (args, call) => {
      for (const key in call) seen += JSON.stringify([key, (call as unknown as JsonObject)[key]]) ?? '';
      seen += JSON.stringify(args);
      return 'Looked';
    },
  });
  await using wire = await HttpWire.open(
    example({ tools: [look] }),
    version,
    { authorization: { verify: () => ({ principal: 'alice' }) } },
    {},
    bearer('topsecret'),
  );
  expect((await wire.call('look', {}, bearer('topsecret'))).status).toBe(200);
  expect(seen).not.toBe('');
  expect(seen).not.toContain('topsecret');
});

requirement('AUTH-09', 'an Authorization header that cannot be read is 400', async (version) => {
  await using wire = await served(version);
  for (const authorization of ['Bearer', 'Bearer a b', 'Bearer a,b', 'Bearer "alice"', 'Bearer ä']) {
    const response = await wire.call('hello', {}, { authorization });
    expect([authorization, response.status]).toEqual([authorization, 400]);
    expect(response.headers.get('www-authenticate')).toBe(challenge('error="invalid_request"'));
  }
});

requirement(
  ['AUTH-03', 'AUTH-05'],
  'the protected resource metadata can be read without a token',
  async (version) => {
    await using wire = await served(version);
    for (const path of [
      '/.well-known/oauth-protected-resource/mcp',
      '/.well-known/oauth-protected-resource',
    ]) {
      const response = await fetch(new URL(path, wire.url));
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
      expect(await response.json()).toEqual({
        resource,
        authorization_servers: ['https://login.example'],
        scopes_supported: ['files:read', 'files:write'],
        bearer_methods_supported: ['header'],
      });
    }
    await using plain = await HttpWire.open(server, version);
    const missing = new URL('/.well-known/oauth-protected-resource', plain.url);
    expect((await fetch(missing)).status).toBe(404);
  },
);

requirement(
  ['AUTH-09', 'AUTH-10'],
  'the refusal of a token with too few scopes names all required scopes',
  async (version) => {
    await using wire = await served(version);
    const response = await wire.call('hello', {}, bearer('reader'));
    expect(response.headers.get('www-authenticate')).toBe(challenge('error="insufficient_scope"'));
    expect(await refusal(response)).toEqual([
      403,
      { code: -32600, message: 'The token lacks a required scope' },
    ]);
  },
);

requirement('AUTH-11', 'the verifier decides whether one scope includes others', async (version) => {
  const hierarchical: Authorization = {
    ...authorization,
    verify: (token) => ({
      principal: token,
      scopes: token === 'admin' ? ['files', 'files:read', 'files:write'] : ['files:read'],
    }),
  };
  await using wire = await served(version, hierarchical);
  expect((await wire.call('hello', {}, bearer('admin'))).status).toBe(200);
  expect((await wire.call('hello', {}, bearer('reader'))).status).toBe(403);
});

requirement('AUTH-12', 'the server never requests the scope offline_access', async (version) => {
  const asking: Authorization = { ...authorization, requiredScopes: ['files:read', 'offline_access'] };
  await using wire = await served(version, asking);
  const header = (await wire.call('hello')).headers.get('www-authenticate');
  expect(header).toContain('scope="files:read"');
  const published = await fetch(new URL('/.well-known/oauth-protected-resource', wire.url));
  expect(await published.text()).not.toContain('offline_access');
});

requirement(
  ['SEC-02', 'SEC-03'],
  'state that outlives a request belongs to its principal',
  async (version) => {
    const ask = defineTool({
      name: 'ask',
      description: 'Asks.',
      run: (_, { inputs, state }) =>
        inputs['it'] ? `Asked ${String(state)}` : inputRequired({ it: elicit('Well?', form) }, 'once'),
    });
    const capabilities = { elicitation: {} };
    await using wire = await HttpWire.open(
      example({ tools: [ask, hello] }),
      version,
      { authorization },
      { capabilities },
      bearer('alice'),
    );
    if (version !== stateless) {
      expect((await wire.call('hello', {}, bearer('alice'))).status).toBe(200);
      // A session id is no proof by itself, nor with the token of another principal.
      expect((await wire.call('hello')).status).toBe(401);
      for (const response of [
        await wire.call('hello', {}, bearer('bob')),
        await wire.get(bearer('bob')),
        await wire.delete(bearer('bob')),
      ]) {
        expect(await refusal(response)).toMatchObject([
          404,
          { message: 'Unknown Mcp-Session-Id; send "initialize" to begin a new session' },
        ]);
      }
      expect((await wire.call('hello', {}, bearer('alice'))).status).toBe(200);
      return;
    }
    const first = await messageOf(await wire.call('ask', {}, bearer('alice')));
    const second = await messageOf(await wire.call('ask', {}, bearer('alice')));
    const { requestState } = first['result'] as { requestState: string };
    expect((second['result'] as JsonObject)['requestState']).not.toBe(requestState);
    const retry = async (token: string) => {
      const inputResponses = { it: { action: 'accept', content: {} } };
      const response = await wire.ask(
        'tools/call',
        { name: 'ask', arguments: {}, inputResponses, requestState },
        bearer(token),
      );
      return messageOf(response);
    };
    expect(await retry('bob')).toMatchObject({ error: { code: -32602 } });
    expect(await retry('alice')).toMatchObject({ result: { content: [{ text: 'Asked once' }] } });
  },
);

const form = jsonSchema<object>({ type: 'object', properties: {} }, (value) => value as object);

requirement('SEC-04', 'a server without a token is not reachable from other machines', async (version) => {
  await using wire = await HttpWire.open(server, version, { token: 'secret' }, {}, bearer('secret'));
  expect(new URL(wire.url).hostname).toBe('127.0.0.1');
  expect((await wire.call('hello')).status).toBe(401);
  expect((await wire.call('hello', {}, bearer('secret'))).status).toBe(200);
  // Also where the handler is mounted into something else, only the names of this machine are answered.
  const handler = httpHandler(server);
  const response = await handler.fetch(new Request('http://mcp.example/mcp', { method: 'POST' }));
  expect(response.status).toBe(403);
  await handler.close();
});

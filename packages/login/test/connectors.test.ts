import { expect, test } from 'vitest';
import { openPage, submit } from './browser.ts';
import { OAuthClient, register, request } from './oauth-client.ts';
import { startNotes } from './protected-notes.ts';

// The steps of the connectors of Claude and ChatGPT, as their documents and the logs of servers describe
// them: https://claude.com/docs/connectors/building/authentication and
// https://developers.openai.com/apps-sdk/build/auth

const origin = 'https://notes.example';
const resource = `${origin}/mcp`;

const claude = {
  id: 'https://claude.ai/oauth/mcp-oauth-client-metadata',
  callback: 'https://claude.ai/api/mcp/auth_callback',
  document: {
    client_id: 'https://claude.ai/oauth/mcp-oauth-client-metadata',
    client_name: 'Claude',
    client_uri: 'https://claude.ai',
    redirect_uris: ['https://claude.ai/api/mcp/auth_callback'],
    grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:jwt-bearer'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  },
};

const chatgpt = {
  id: 'https://chatgpt.com/oauth/client.json',
  callback: 'https://chatgpt.com/connector_platform_oauth_redirect',
  document: {
    client_id: 'https://chatgpt.com/oauth/client.json',
    client_uri: 'https://chatgpt.com/',
    redirect_uris: ['https://chatgpt.com/connector_platform_oauth_redirect'],
    token_endpoint_auth_method: 'private_key_jwt',
    token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    client_name: 'ChatGPT',
    token_endpoint_auth_signing_alg: 'RS256',
    jwks_uri: 'https://chatgpt.com/oauth/jwks.json',
  },
};

/** The sites that publish the documents. */
const published =
  (...documents: readonly { readonly client_id: string }[]) =>
  async ({ url }: Request) => {
    const document = documents.find((each) => each.client_id === url);
    return document ? Response.json(document) : new Response('', { status: 404 });
  };

/** A site that demands a browser. */
const challenging = async () =>
  new Response('<title>Just a moment…</title>', { status: 403, headers: { 'cf-mitigated': 'challenge' } });

async function json(url: string): Promise<{ readonly [name: string]: unknown }> {
  return (await (await fetch(url)).json()) as { readonly [name: string]: unknown };
}

/** Discovers the server as a connector does that begins with a request without a token. */
async function discover(local: string) {
  const refused = await request(local, {});
  expect(refused.status).toBe(401);
  const [, metadata = ''] =
    /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '') ?? [];
  expect(metadata).toBe(`${origin}/.well-known/oauth-protected-resource/mcp`);
  const protectedResource = await json(metadata.replace(origin, local));
  // Claude compares it with the URL that the user typed.
  expect(protectedResource).toMatchObject({ resource, authorization_servers: [origin] });
  return json(`${local}/.well-known/oauth-authorization-server`);
}

/** The user lets the connector in; it redeems the code, calls, refreshes, and calls again. */
async function connect(client: OAuthClient, fields: { readonly [name: string]: string } = {}) {
  const page = await openPage(client.page({ resource, ...fields }));
  const { response } = await submit(page, { headers: { origin } });
  const answer = new URL(response.headers.get('location') ?? page.html);
  expect(answer.origin + answer.pathname).toBe(client.redirectUri);
  // ChatGPT's callback for all servers needs the issuer.
  expect(answer.searchParams.get('iss')).toBe(origin);
  const tokens = await client.redeem(answer.searchParams.get('code') ?? '', { resource });
  expect(await client.use(tokens.access_token)).toBe(200);
  const next = await client.refresh(tokens.refresh_token, { resource, scope: tokens.scope });
  expect(await client.use(next.access_token)).toBe(200);
  return { page, tokens };
}

test.each([
  ['as published', published(claude.document)],
  ['while its site demands a browser', challenging],
])('Claude connects with its document %s', async (_, fetch) => {
  await using notes = await startNotes({ fetch }, { origin });
  // Claude uses its document with both of these, and registers otherwise.
  expect(await discover(notes.origin)).toMatchObject({
    client_id_metadata_document_supported: true,
    token_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
  });
  const client = new OAuthClient(notes.origin, claude.id, claude.callback);
  const { page } = await connect(client, { scope: 'notes:read notes:write' });
  expect(page.html).toContain('Claude, described by claude.ai');
  expect(notes.events.at(-1)).toBe('Access granted to "Claude" at claude.ai');
});

test.each(['https://claude.ai/api/mcp/auth_callback', 'https://claude.com/api/mcp/auth_callback'])(
  'Claude registers and connects with the callback %s',
  async (callback) => {
    await using notes = await startNotes({}, { origin });
    await discover(notes.origin);
    const registered = await register(notes.origin, {
      client_name: 'Claude',
      redirect_uris: [callback],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'client_secret_post',
      scope: 'claudeai',
    });
    expect(registered).toMatchObject({ status: 201, token_endpoint_auth_method: 'none' });
    // A scope that no server but Claude's own has.
    const client = new OAuthClient(notes.origin, String(registered['client_id']), callback);
    const { tokens } = await connect(client, { scope: 'claudeai' });
    expect(tokens.scope).toBe('notes:read notes:write');
  },
);

test('Claude Code connects with its document, on a port of its own', async () => {
  await using notes = await startNotes({ fetch: challenging }, { origin });
  const id = 'https://claude.ai/oauth/claude-code-client-metadata';
  const { page } = await connect(new OAuthClient(notes.origin, id, 'http://localhost:54545/callback'));
  expect(page.html).toContain('a program on the computer of this browser (localhost:54545)');
});

test.each([
  ['as published', published(chatgpt.document)],
  ['while its site demands a browser', challenging],
])('ChatGPT connects with its document %s', async (_, fetch) => {
  await using notes = await startNotes({ fetch }, { origin });
  // Before any request, ChatGPT asks for the metadata with the path of the server, and of OpenID Connect.
  const metadata = await json(`${notes.origin}/.well-known/oauth-authorization-server/mcp`);
  expect(metadata).toMatchObject({
    issuer: origin,
    scopes_supported: expect.arrayContaining(['offline_access']),
  });
  expect(metadata).toEqual(await discover(notes.origin));
  expect((await globalThis.fetch(`${notes.origin}/.well-known/openid-configuration`)).status).toBe(404);
  expect(await json(`${notes.origin}/.well-known/oauth-protected-resource`)).toMatchObject({ resource });
  const client = new OAuthClient(notes.origin, chatgpt.id, chatgpt.callback);
  const { tokens } = await connect(client, { scope: 'notes:read offline_access' });
  expect(tokens.scope).toBe('notes:read offline_access');
});

test('ChatGPT registers and connects with the callback of one connector', async () => {
  await using notes = await startNotes({}, { origin });
  const callback = 'https://chatgpt.com/connector/oauth/djePJ1RTfjI5';
  const { client_id: id } = await register(notes.origin, {
    client_name: 'ChatGPT',
    redirect_uris: [callback],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  });
  await connect(new OAuthClient(notes.origin, String(id), callback));
});

test('a document at its site that is not usable is refused, although an older one is known here', async () => {
  const { token_endpoint_auth_methods_supported: _, ...strict } = chatgpt.document;
  await using notes = await startNotes({ fetch: published(strict) }, { origin });
  const { response, html } = await openPage(
    new OAuthClient(notes.origin, chatgpt.id, chatgpt.callback).page(),
  );
  expect([response.status, html]).toEqual([400, expect.stringContaining('authenticates itself')]);
});

test('a document that was changed at its site counts, not the one that is known here', async () => {
  const changed = { ...claude.document, redirect_uris: ['https://claude.ai/new_callback'] };
  await using notes = await startNotes({ fetch: published(changed) }, { origin });
  const old = await openPage(new OAuthClient(notes.origin, claude.id, claude.callback).page());
  expect(old.response.status).toBe(400);
  await connect(new OAuthClient(notes.origin, claude.id, 'https://claude.ai/new_callback'));
});

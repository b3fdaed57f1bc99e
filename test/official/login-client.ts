import {
  Client as ClientV2,
  type ClientOptions,
  StreamableHTTPClientTransport as HttpV2,
} from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect } from 'vitest';

const info = { name: 'test', version: '1.0.0' };
const redirectUrl = 'http://127.0.0.1:1/callback';

/** What the user does with the page: returns the URL that the browser is sent to. */
type Login = (page: URL) => Promise<URL>;

/** A provider as the documents of the official SDK describe it, which keeps all in memory. */
class Provider {
  readonly redirectUrl = redirectUrl;
  readonly clientMetadata = {
    client_name: 'Official',
    redirect_uris: [redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  };
  /** The page that the user must open. */
  page: URL | undefined;
  saved: { access_token: string; refresh_token?: string; token_type: string } | undefined;
  #client: { client_id: string } | undefined;
  #verifier = '';

  clientInformation() {
    return this.#client;
  }

  saveClientInformation(client: { client_id: string }): void {
    this.#client = client;
  }

  tokens() {
    return this.saved;
  }

  saveTokens(tokens: NonNullable<Provider['saved']>): void {
    this.saved = tokens;
  }

  redirectToAuthorization(page: URL): void {
    this.page = page;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }
}

/** A provider without refresh tokens, so that a client which lacks a scope has to ask its user. */
class ForgetfulProvider extends Provider {
  override saveTokens({ refresh_token: _, ...tokens }: NonNullable<Provider['saved']>): void {
    super.saveTokens(tokens);
  }
}

interface Session {
  readonly client: {
    connect(transport: never): Promise<void>;
    close(): Promise<void>;
    callTool(call: { name: string }): Promise<unknown>;
  };
  readonly transport: { finishAuth(code: string, issuer?: string): Promise<void> };
}

/** Logs in, calls, loses the access token, and calls again by the refresh token, without another login. */
async function useLogin(
  login: Login,
  provider: Provider,
  open: () => Session,
  call: (client: never) => Promise<unknown>,
): Promise<void> {
  const first = open();
  await expect(first.client.connect(first.transport as never)).rejects.toThrow();
  if (!provider.page) throw new Error('The client asked for no login');
  const { searchParams } = await login(provider.page);
  await first.transport.finishAuth(searchParams.get('code') ?? '', searchParams.get('iss') ?? undefined);
  for (const access of [undefined, 'mcp-access.lost']) {
    provider.page = undefined;
    if (access !== undefined && provider.saved) provider.saved = { ...provider.saved, access_token: access };
    const next = open();
    await next.client.connect(next.transport as never);
    try {
      await call(next.client as never);
    } finally {
      await next.client.close();
    }
    expect(provider.page).toBeUndefined();
  }
}

/** Logs in, calls a tool that needs another scope, logs in for this scope, and calls it again. */
async function stepUp(login: Login, provider: Provider, open: () => Session, name: string): Promise<void> {
  const allow = async ({ transport }: Session) => {
    if (!provider.page) throw new Error('The client asked for no login');
    const { searchParams } = await login(provider.page);
    provider.page = undefined;
    await transport.finishAuth(searchParams.get('code') ?? '', searchParams.get('iss') ?? undefined);
  };
  const first = open();
  await expect(first.client.connect(first.transport as never)).rejects.toThrow();
  await allow(first);
  const second = open();
  await second.client.connect(second.transport as never);
  await expect(second.client.callTool({ name })).rejects.toThrow();
  await allow(second);
  await second.client.close();
  const third = open();
  await third.client.connect(third.transport as never);
  expect(await third.client.callTool({ name })).not.toHaveProperty('isError', true);
  await third.client.close();
}

/** Calls a tool that succeeds, if one is named. */
async function callTool(client: Pick<ClientV1, 'callTool'>, name: string | undefined): Promise<void> {
  if (name !== undefined) expect((await client.callTool({ name })).isError).not.toBe(true);
}

/** The official client of the first generation. */
export async function loginV1(url: string, login: Login, tool?: string): Promise<void> {
  const provider = new Provider();
  const open = () => ({
    client: new ClientV1(info, { capabilities: {} }),
    transport: new HttpV1(new URL(url), { authProvider: provider as never }),
  });
  await useLogin(login, provider, open as never, async (client: ClientV1) => {
    expect((await client.listTools()).tools.length).toBeGreaterThan(0);
    await callTool(client, tool);
  });
}

/** The official client of the second generation. */
export async function loginV2(
  url: string,
  login: Login,
  options: ClientOptions,
  tool?: string,
): Promise<void> {
  const provider = new Provider();
  const open = () => ({
    client: new ClientV2(info, options),
    transport: new HttpV2(new URL(url), { authProvider: provider as never }),
  });
  await useLogin(login, provider, open as never, async (client: ClientV2) => {
    expect((await client.listTools()).tools.length).toBeGreaterThan(0);
    await callTool(client as never, tool);
  });
}

/** A step up of the official client of the first generation, whose provider keeps no refresh token. */
export async function stepUpV1(url: string, login: Login, tool: string): Promise<void> {
  const authProvider = new ForgetfulProvider();
  const open = () => ({
    client: new ClientV1(info, { capabilities: {} }),
    transport: new HttpV1(new URL(url), { authProvider: authProvider as never }),
  });
  await stepUp(login, authProvider, open as never, tool);
}

/** A step up of the official client of the second generation. */
export async function stepUpV2(
  url: string,
  login: Login,
  options: ClientOptions,
  tool: string,
): Promise<void> {
  const authProvider = new Provider();
  const open = () => ({
    client: new ClientV2(info, options),
    transport: new HttpV2(new URL(url), { authProvider: authProvider as never }),
  });
  await stepUp(login, authProvider, open as never, tool);
}

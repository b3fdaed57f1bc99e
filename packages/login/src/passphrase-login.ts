import { callSafely, emitWarning, messageOf } from '@mcp/kit';
import type { Authorization, Verify } from '@mcp/protocol/http';
import { MetadataDocuments } from './clients/metadata-documents.ts';
import { authorizeRoute } from './endpoints/authorize.ts';
import { type LoginContext, paths } from './endpoints/login-context.ts';
import { metadataRoute } from './endpoints/metadata.ts';
import { registerRoute } from './endpoints/register.ts';
import { revokeRoute } from './endpoints/revoke.ts';
import { tokenRoute } from './endpoints/token.ts';
import { findAccess } from './grants/grants.ts';
import { RateLimit } from './limits/rate-limit.ts';
import type { LoginCaller } from './login-caller.ts';
import { checkedUrl, type PassphraseLoginOptions } from './options.ts';
import { setPassphrase } from './passphrase/current-passphrase.ts';
import { StateFile } from './store/state-file.ts';

/** The authorization of an endpoint, with an authorization server in its `routes`. */
export interface PassphraseLogin extends Authorization<LoginCaller> {
  readonly metadata: NonNullable<Authorization['metadata']>;
  readonly routes: NonNullable<Authorization['routes']>;
}

/**
 * Makes an authorization server for one person, who lets clients in with a passphrase: authorization code
 * with PKCE, client id metadata documents, dynamic registration, refresh tokens that rotate, revocation. It
 * is served at the origin of `url`, beside the endpoint: `/authorize`, `/token`, `/register`, `/revoke` and
 * the well-known URIs. Access tokens are valid for an hour; access ends 30 days after its last use, and after
 * a year. If the passphrase is another than before, all access ends. Rejects if an option is not valid, or
 * the file cannot be used.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
 * @example
 * ```ts
 * import { defineServer } from '@mcp/protocol';
 * import { serveHttp } from '@mcp/protocol/http';
 * import { passphraseLogin } from '@mcp/login';
 * import { tmpdir } from 'node:os';
 * import { join } from 'node:path';
 *
 * const authorization = await passphraseLogin({
 *   passphrase: process.env['PASSPHRASE'] ?? 'an example is no secret',
 *   url: 'https://mcp.example.com/mcp',
 *   file: join(tmpdir(), 'example-login.json'),
 * });
 * const server = defineServer({ name: 'example', version: '1.0.0' });
 * const listener = await serveHttp(server, { authorization });
 * await listener.close();
 * ```
 */
export async function passphraseLogin(options: PassphraseLoginOptions): Promise<PassphraseLogin> {
  const url = checkedUrl(options);
  const { scopes = [], principal = 'user', onEvent } = options;
  const file = new StateFile(options.file, options.url);
  const failed = (error: unknown) => emitWarning(`The callback "onEvent" has failed: ${messageOf(error)}`);
  const context: LoginContext = {
    resource: options.url,
    issuer: url.origin,
    name: options.name ?? url.host,
    scopes,
    passphrase: await setPassphrase(file, options.passphrase),
    file,
    documents: new MetadataDocuments(url, options.fetch),
    limits: limits(),
    event: (message) => callSafely(() => onEvent?.(message), failed),
  };
  return {
    verify: verifier(context, principal),
    metadata: { resource: context.resource, authorizationServers: [context.issuer], scopesSupported: scopes },
    routes: {
      [paths.metadata]: metadataRoute(context),
      // Some clients append the path of the server, as if it were part of the issuer.
      ...(url.pathname !== '/' && { [paths.metadata + url.pathname]: metadataRoute(context) }),
      [paths.authorize]: authorizeRoute(context),
      [paths.token]: tokenRoute(context),
      [paths.register]: registerRoute(context),
      [paths.revoke]: revokeRoute(context),
    },
  };
}

function limits(): LoginContext['limits'] {
  return {
    attempts: new RateLimit({
      all: { burst: 10, refillMs: 30_000 },
      network: { burst: 5, refillMs: 60_000 },
    }),
    registrations: new RateLimit({
      all: { burst: 100, refillMs: 60_000 },
      network: { burst: 20, refillMs: 180_000 },
    }),
    reports: new RateLimit({
      all: { burst: 1, refillMs: 60_000 },
      network: { burst: 1, refillMs: 60_000 },
    }),
    documents: new RateLimit({
      all: { burst: 60, refillMs: 1_000 },
      network: { burst: 10, refillMs: 6_000 },
    }),
  };
}

function verifier({ file }: LoginContext, principal: string): Verify<LoginCaller> {
  return async (token) => {
    const access = findAccess(await file.read(), token, Date.now());
    if (!access) return undefined;
    const { grant, expiresAt } = access;
    const scopes = grant.scopes.filter((scope) => scope !== 'offline_access');
    return { principal, scopes, client: grant.client, expiresAt };
  };
}

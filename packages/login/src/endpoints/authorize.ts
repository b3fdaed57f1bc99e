import { messageOf, quoted } from '@mcp/kit';
import { type Route, type RouteReply, type RouteRequest, VerifierUnavailable } from '@mcp/protocol/http';
import type { Client } from '../clients/client.ts';
import { MetadataDocuments } from '../clients/metadata-documents.ts';
import { findClient } from '../clients/registered-clients.ts';
import { addGrant, removeExpired } from '../grants/grants.ts';
import { consentPage } from '../page/consent-page.ts';
import { errorPage } from '../page/html.ts';
import { isCurrent } from '../passphrase/current-passphrase.ts';
import { isPassphrase } from '../passphrase/passphrase.ts';
import {
  type AuthorizationRequest,
  checkRequest,
  requestNames,
  responseUrl,
} from './authorization-request.ts';
import type { State } from '../store/state.ts';
import { BrowserBinding } from './browser-binding.ts';
import { type LoginContext, paths } from './login-context.ts';
import { OAuthError } from './oauth-error.ts';
import { formOf, needed, type Parameters, parametersOf } from './parameters.ts';

/**
 * Shows the page on which the user decides, and takes the decision. The page sends the request again, so the
 * server keeps nothing in between. Errors are pages, and never a redirect: anyone can register a client, and
 * could otherwise send users of this server's address to any site.
 * @see https://www.rfc-editor.org/rfc/rfc9700#section-4.11.2
 */
export function authorizeRoute(context: LoginContext): Route {
  const binding = new BrowserBinding(context.issuer);
  return async (request) => {
    try {
      checkCurrent(context, await context.file.read());
      if (request.method === 'GET') {
        const parameters = parametersOf(request.query);
        return show(
          context,
          binding.bind(request),
          parameters,
          await requestOf(context, request, parameters),
        );
      }
      if (request.method === 'POST') return await decide(context, binding, request);
      return { status: 405, headers: { allow: 'GET, POST' } };
    } catch (error) {
      if (error instanceof OAuthError) return errorPage(error.status, error.message, error.headers);
      if (error instanceof VerifierUnavailable) report(context, error.message);
      throw error;
    }
  };
}

/** Throws if the file has another passphrase than this process, which would let in with the replaced one. */
function checkCurrent(context: LoginContext, state: State): void {
  if (!isCurrent(state, context.passphrase)) throw otherPassphrase(context);
}

/** Reports an event that anyone can cause, who must not fill the log of the operator. */
function report({ limits, event }: LoginContext, message: string): void {
  if (limits.reports.take(undefined) === 0) event(message);
}

function otherPassphrase(context: LoginContext): OAuthError {
  const reason = 'No client can log in: another process has since started with another passphrase';
  const advice = 'start this one again with the same passphrase';
  report(context, `${reason} and the file ${quoted(context.file.path)}; ${advice}`);
  return new OAuthError('temporarily_unavailable', `${reason}; ${advice}`, 503);
}

interface Problem {
  readonly status: number;
  readonly problem: string;
  readonly headers?: RouteReply['headers'];
}

function show(
  { name, resource }: LoginContext,
  { cookie, proof }: { readonly cookie: string; readonly proof: string },
  parameters: Parameters,
  { client, redirectUri, scopes }: AuthorizationRequest,
  { status, headers, ...rest }: Partial<Problem> = {},
): RouteReply {
  const sent = requestNames.map((each) => [each, parameters.get(each)] as const);
  const fields = Object.fromEntries(
    sent.filter((each): each is [(typeof each)[0], string] => each[1] !== undefined),
  );
  return consentPage(
    status ?? 200,
    {
      client,
      redirectUri,
      scopes,
      server: { name, url: resource },
      action: paths.authorize,
      fields: { ...fields, proof },
      ...rest,
    },
    { 'set-cookie': cookie, ...headers },
  );
}

async function decide(
  context: LoginContext,
  binding: BrowserBinding,
  request: RouteRequest,
): Promise<RouteReply> {
  if (request.query.size > 0)
    throw new OAuthError('invalid_request', 'Send the form in the body, and nothing in the URL');
  const form = await formOf(request);
  if (!binding.isBound(request, form.get('proof') ?? ''))
    throw new OAuthError(
      'invalid_request',
      'This form is not from this server, or your browser accepts no cookies; start again in the client',
      403,
    );
  const asked = await requestOf(context, request, form);
  if (form.get('decision') === 'deny')
    return redirect(responseUrl(asked, context.issuer, { error: 'access_denied' }));
  const problem = await checkPassphrase(context, request, form.get('password') ?? '');
  if (problem) return show(context, binding.bind(request), form, asked, problem);
  const code = await grant(context, asked);
  return redirect(responseUrl(asked, context.issuer, { code }));
}

async function checkPassphrase(
  { limits, passphrase, event }: LoginContext,
  { address }: RouteRequest,
  given: string,
): Promise<Problem | undefined> {
  // The attempt is counted before the check, so that attempts at the same time are counted, too.
  const seconds = limits.attempts.take(address);
  if (seconds > 0)
    return {
      status: 429,
      problem: `Too many wrong passphrases; try again in ${seconds} seconds`,
      headers: { 'retry-after': String(seconds) },
    };
  if (await isPassphrase(given, passphrase)) {
    limits.attempts.giveBack(address);
    return undefined;
  }
  event(`Wrong passphrase from ${address ?? 'an unknown address'}`);
  return { status: 403, problem: 'The passphrase is wrong' };
}

async function grant(context: LoginContext, asked: AuthorizationRequest): Promise<string> {
  const { client, scopes, redirectUri, challenge } = asked;
  const { id, name } = client;
  const now = Date.now();
  const consent = { client: { id, name }, scopes, redirectUri, challenge };
  const code = await context.file.change((state) => {
    if (!isCurrent(state, context.passphrase)) return undefined;
    state.passphrase = context.passphrase;
    removeExpired(state, now);
    const registered = findClient(state, id, now);
    if (registered) registered.approvedAt = now;
    return addGrant(state, consent, now);
  });
  if (code === undefined) throw otherPassphrase(context);
  context.event(`Access granted to ${quoted(name, 100)} at ${new URL(redirectUri).host}`);
  return code;
}

function redirect(location: string): RouteReply {
  return {
    status: 303,
    headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
  };
}

async function requestOf(
  context: LoginContext,
  request: RouteRequest,
  parameters: Parameters,
): Promise<AuthorizationRequest> {
  const client = await clientOf(context, request, needed(parameters, 'client_id'));
  return checkRequest(parameters, client, context);
}

async function clientOf(
  { documents, limits, file }: LoginContext,
  { address }: RouteRequest,
  id: string,
): Promise<Client> {
  if (!MetadataDocuments.has(id)) {
    const registered = findClient(await file.read(), id, Date.now());
    if (registered) return registered;
    throw new OAuthError(
      'invalid_client',
      'The client is not registered here; remove it there, and add it again',
    );
  }
  const seconds = documents.isUnlimited(id) ? 0 : limits.documents.take(address);
  if (seconds > 0)
    throw new OAuthError('temporarily_unavailable', 'Too many requests; try again later', 429, {
      'retry-after': String(seconds),
    });
  try {
    return await documents.find(id);
  } catch (error) {
    throw new OAuthError('invalid_client', messageOf(error));
  }
}

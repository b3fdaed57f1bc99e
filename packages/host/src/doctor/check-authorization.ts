import { messageOf } from '@mcp/kit';
import { memoryTokenStore, withOAuth } from '@mcp/authorization';
import type { HttpTarget } from '../config/entry/server-entry.ts';
import { maskAddresses } from '../config/entry/mask-secrets.ts';
import { type Finding, findingOf, findingsOf } from './finding.ts';

const { ok, note, warning, fault } = findingsOf('authorization');

interface Step {
  readonly method: string;
  /** The URL without the secrets in its query. */
  readonly url: string;
  readonly status: number;
  readonly json: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Runs the steps of a login up to the registration, as a client does, and reports the answer to each step. No
 * client is registered, and no token is requested or shown.
 */
export async function checkAuthorization(target: HttpTarget, limitMs: number): Promise<Finding[]> {
  const steps: Step[] = [];
  const stopped = new Error('mcp doctor ends the login before it registers a client');
  const record = async (request: Request): Promise<Response> => {
    const isOfServer = request.url === new URL(target.url).href;
    const response = await fetch(request);
    const json = isOfServer ? undefined : await jsonOf(response.clone());
    steps.push({ method: request.method, url: maskAddresses(request.url), status: response.status, json });
    return response;
  };
  const layer = withOAuth({
    store: memoryTokenStore(),
    onWarning: () => {},
    grant: {
      type: 'authorization_code',
      clientName: 'mcp doctor',
      ...(target.oauth?.clientId !== undefined && { client: { id: target.oauth.clientId } }),
      redirectUri: () => Promise.reject(stopped),
      redirect: () => Promise.reject(stopped),
    },
  })(record);
  const first = await fetch(initialize(target, limitMs)).catch(() => undefined);
  // Without a response, nothing is reported here: the check `start` reports the reason.
  if (!first) return [];
  await first.body?.cancel();
  if (first.status !== 401) return [openFinding(first.status)];
  const challenge = first.headers.get('www-authenticate');
  let failure: unknown;
  try {
    await layer(initialize(target, limitMs));
  } catch (error) {
    if (!isCausedBy(error, stopped)) failure = error;
  }
  return [
    note(
      `the server requires a login: 401, ${challenge === null ? 'without a challenge' : `with the challenge ${challenge}`}`,
    ),
    ...steps
      .slice(1)
      .map(({ method, url, status }) => note(`${method} ${url}: ${status}`, { method, url, status })),
    ...(failure === undefined
      ? []
      : [
          findingOf(
            'authorization',
            failure,
            'correct the metadata that the server and its authorization server publish',
          ),
        ]),
    ...metadataFindings(steps, target),
  ];
}

function openFinding(status: number): Finding {
  if (status >= 200 && status < 300) return ok('the handshake needs no login', { status });
  return note(`no login is demanded: the server answers ${status} to a handshake without a token`, {
    status,
  });
}

function initialize({ url, headers }: HttpTarget, limitMs: number): Request {
  return new Request(url, {
    method: 'POST',
    headers: {
      ...headers,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'mcp doctor', version: '0' },
      },
    }),
    signal: AbortSignal.timeout(limitMs),
  });
}

/** Findings about the ways to register, the scopes, and the protection of a login: PKCE and `iss`. */
function metadataFindings(steps: readonly Step[], { oauth: settings }: HttpTarget): Finding[] {
  const find = (key: string) => steps.find(({ json }) => json && key in json)?.json;
  const resource = find('authorization_servers');
  const server = find('token_endpoint');
  if (!server)
    return [
      fault(
        'no metadata of an authorization server was found',
        'publish /.well-known/oauth-protected-resource with "authorization_servers" (RFC 9728), and the metadata of these (RFC 8414)',
      ),
    ];
  const ways = [
    settings?.clientId !== undefined && 'the configured client id',
    server['client_id_metadata_document_supported'] === true && 'a client id metadata document',
    typeof server['registration_endpoint'] === 'string' && 'dynamic registration',
  ].filter((way) => way !== false);
  const scopes = resource?.['scopes_supported'] ?? server['scopes_supported'];
  const challengeMethods = server['code_challenge_methods_supported'];
  const hasPkce = Array.isArray(challengeMethods) && challengeMethods.includes('S256');
  return [
    ways.length > 0
      ? ok(`a client registers by ${ways.join(' or ')}`, { ways })
      : warning(
          'a client has no way to register',
          'register one by hand, and configure its id: "oauth" of the entry, or --client-id',
        ),
    Array.isArray(scopes) ? ok(`scopes: ${scopes.join(' ')}`, { scopes }) : note('names no scopes'),
    hasPkce
      ? ok('supports PKCE with S256')
      : fault(
          'does not declare PKCE with S256, without which clients refuse to log in',
          'add "code_challenge_methods_supported": ["S256"] to the metadata of the authorization server',
        ),
    server['authorization_response_iss_parameter_supported'] === true
      ? ok('names its issuer in authorization responses')
      : note('does not name its issuer in authorization responses (RFC 9207)'),
  ];
}

async function jsonOf(response: Response): Promise<Step['json']> {
  try {
    const value: unknown = await response.json();
    return typeof value === 'object' && value !== null ? (value as Step['json']) : undefined;
  } catch {
    return undefined;
  }
}

function isCausedBy(error: unknown, reason: Error): boolean {
  for (let at = error; at instanceof Error; at = at.cause) if (at === reason) return true;
  return messageOf(error).includes(reason.message);
}

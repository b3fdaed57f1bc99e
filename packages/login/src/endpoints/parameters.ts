import { isUtf8 } from 'node:buffer';
import type { RouteRequest } from '@mcp/protocol/http';
import { OAuthError } from './oauth-error.ts';

/** The parameters of an OAuth request. */
export type Parameters = ReadonlyMap<string, string>;

const maxBodyBytes = 16 * 1024;
const maxParameters = 50;

/**
 * The parameters by name; those without a value are left out. Throws if one comes twice with different
 * values: two readers could each take another one.
 * @see https://www.rfc-editor.org/rfc/rfc6749#section-3.1
 */
export function parametersOf(query: URLSearchParams): Parameters {
  if (query.size > maxParameters)
    throw new OAuthError('invalid_request', `More than ${maxParameters} parameters`);
  const parameters = new Map<string, string>();
  for (const [name, value] of query) {
    if (value === '') continue;
    if ((parameters.get(name) ?? value) !== value)
      throw new OAuthError('invalid_request', `The parameter "${name.slice(0, 50)}" comes twice`);
    parameters.set(name, value);
  }
  return parameters;
}

/** The parameters in the body of a form. */
export async function formOf(request: RouteRequest): Promise<Parameters> {
  const text = await bodyOf(request, 'application/x-www-form-urlencoded', maxBodyBytes);
  return parametersOf(new URLSearchParams(text));
}

/** The body as text. Throws if it has another type, is too long, or is not UTF-8. */
export async function bodyOf(request: RouteRequest, type: string, maxBytes: number): Promise<string> {
  const given = request.header('content-type') ?? '';
  if (given.split(';')[0]?.trim().toLowerCase() !== type)
    throw new OAuthError('invalid_request', `Invalid Content-Type; expected ${type}`, 415);
  const body = await request.body(maxBytes);
  if (body === 'consumed')
    throw new OAuthError('server_error', 'The framework has read the body before the server', 500);
  if (!body) throw new OAuthError('invalid_request', `The body may have at most ${maxBytes} bytes`, 413);
  if (!isUtf8(body)) throw new OAuthError('invalid_request', 'The body must be UTF-8');
  return new TextDecoder().decode(body);
}

export function needed(parameters: Parameters, name: string): string {
  const value = parameters.get(name);
  if (value === undefined) throw new OAuthError('invalid_request', `The parameter "${name}" is missing`);
  return value;
}

/** Throws unless the parameter `resource`, if it is given, names this server: RFC 8707. */
export function checkResource(parameters: Parameters, resource: string): void {
  const given = parameters.get('resource');
  if (given === undefined || normal(given) === normal(resource)) return;
  throw new OAuthError('invalid_target', `This server has no tokens for another resource than "${resource}"`);
}

/** Some clients write a slash at the end, or the host in capitals. */
function normal(url: string): string {
  return URL.canParse(url) && !url.includes('#') ? new URL(url).href.replace(/\/$/, '') : '';
}

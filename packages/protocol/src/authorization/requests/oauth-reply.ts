import type { JsonObject } from '../../jsonrpc/message.ts';
import { AuthorizationError, type AuthorizationStep } from '../authorization-error.ts';
import type { JsonReply } from './http-requests.ts';
import { stringIn } from './json-fields.ts';
import { shownUrl } from './url-rules.ts';

/**
 * The JSON of a successful reply. Throws the error that the server returned otherwise,
 * without the given secrets.
 */
export function successOf(
  { status, json }: JsonReply,
  step: AuthorizationStep,
  url: URL,
  secrets: readonly string[],
): JsonObject {
  const code = json && stringIn(json, 'error');
  if (json && code === undefined && status >= 200 && status < 300) return json;
  const transient = isPassing(status);
  const where = `"${shownUrl(url)}"`;
  if (json && code !== undefined) {
    const description = stringIn(json, 'error_description');
    const reason = [code, description].filter((each) => each !== undefined).join(': ');
    throw new AuthorizationError(step, `${where} refuses: ${shownText(reason, secrets)}`, {
      code: shownText(code, secrets),
      transient: transient || code === 'temporarily_unavailable' || code === 'server_error',
    });
  }
  throw new AuthorizationError(step, `${where} answers with HTTP ${status} and no OAuth response`, {
    transient,
  });
}

/** Whether the same request may succeed later: a server in trouble, or too many requests. */
function isPassing(status: number): boolean {
  return status >= 500 || status === 429;
}

/** A text of a server as errors show it: one short line, without the secrets that the server may repeat. */
export function shownText(text: string, secrets: readonly string[] = []): string {
  const hidden = secrets
    .filter((secret) => secret !== '')
    .reduce((shown, secret) => shown.replaceAll(secret, '[secret]'), text);
  return hidden.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 300);
}

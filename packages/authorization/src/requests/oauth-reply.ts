import { AuthorizationError, type AuthorizationStep } from '../authorization-error.ts';
import type { JsonReply } from './http-requests.ts';
import { type JsonObject, stringIn } from './json-fields.ts';
import { shownUrl } from './url-rules.ts';

/** The JSON of a successful reply. Otherwise throws the server's error, with `secrets` hidden in its text. */
export function successOf(
  { response: { status, ok }, json }: JsonReply,
  step: AuthorizationStep,
  url: URL,
  secrets: readonly string[] = [],
): JsonObject {
  const code = json && stringIn(json, 'error');
  if (ok && json && code === undefined) return json;
  // These statuses mean a temporary failure: the same request may succeed later.
  const isPassing = status >= 500 || status === 429;
  if (code === undefined) {
    const message = `"${shownUrl(url)}" answers with HTTP ${status} and no OAuth response`;
    throw new AuthorizationError(step, message, { transient: isPassing });
  }
  const description = json && stringIn(json, 'error_description');
  const reason = description === undefined ? code : `${code}: ${description}`;
  throw new AuthorizationError(step, `"${shownUrl(url)}" refuses: ${shownText(reason, secrets)}`, {
    code: shownText(code, secrets),
    transient: isPassing || code === 'temporarily_unavailable' || code === 'server_error',
  });
}

/** Cuts a server's text to one short line. Replaces secrets, which the server may repeat in the text. */
export function shownText(text: string, secrets: readonly string[] = []): string {
  const hidden = secrets
    .filter((secret) => secret !== '')
    .reduce((shown, secret) => shown.replaceAll(secret, '[secret]'), text);
  return hidden.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 300);
}

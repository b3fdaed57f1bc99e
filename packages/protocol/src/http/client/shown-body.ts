const maxShown = 200;
/**
 * Secrets in a header's value have at least this many characters. Shorter parts, such as `Bearer`, are no
 * credentials and may occur in any text, so they are shown.
 */
const minSecretLength = 8;

/**
 * The beginning of a body for an error message. A server may repeat the values of the request's headers
 * (`sent`) in the body, so these values are replaced.
 */
export function shownBody(body: string, sent: readonly string[]): string {
  const secrets = sent
    .flatMap((value) => value.split(/\s+/))
    .filter(({ length }) => length >= minSecretLength)
    .toSorted((a, b) => b.length - a.length);
  const beginning = body.slice(0, 64 * 1024);
  return secrets
    .reduce((shown, secret) => shown.replaceAll(secret, '[secret]'), beginning)
    .slice(0, maxShown)
    .trim();
}

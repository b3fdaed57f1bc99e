const maxShown = 200;
/** Parts of a header that are shorter than this, such as `Bearer`, are no secrets and are not replaced. */
const minSecretLength = 8;

/**
 * The beginning of a body, for an error message. Values of the request's headers (`sent`) that the server
 * echoes are replaced, because they may be secrets.
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

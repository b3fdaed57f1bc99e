const maxShown = 200;
/**
 * The length from which the value of a header may be a credential; shorter values may be part of any text.
 */
const minSecretLength = 8;

/**
 * Returns the first 200 characters of a body for an error, without the values of the headers that the request
 * had, because a server may repeat them.
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

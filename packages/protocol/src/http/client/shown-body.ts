const maxShown = 200;
/** A shorter part of a header's value is shown, because it is no credential and may occur in any text. */
const minSecretLength = 8;

/**
 * The beginning of a body for an error message. The server may repeat the values of headers (`sent`) in the
 * body; they are replaced.
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

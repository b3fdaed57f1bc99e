const maxShown = 200;
/** Shorter values of headers are no credentials, and may be part of any text. */
const minSecretLength = 8;

/** The beginning of a body for an error, without the headers that the server may repeat. */
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

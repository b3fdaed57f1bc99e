/** The text or regular expression of an edit does not occur. */
export class NoOccurrence extends Error {
  override name = 'NoOccurrence';
}

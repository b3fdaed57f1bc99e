/** The text of an edit does not occur. */
export class NoOccurrence extends Error {
  override name = 'NoOccurrence';
}

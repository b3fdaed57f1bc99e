import { coordinatesText } from '../backend/places/coordinates.ts';
import { Failure, quoted } from '../backend/errors.ts';
import { type Candidate, placeText } from '../backend/places/place.ts';

export const mostChoices = 10;

/** The places that a name may mean, best first, each as it can be asked for. */
export function ambiguous(text: string, candidates: readonly Candidate[]): Failure {
  const shown = candidates.slice(0, mostChoices);
  const lines = shown.map((each) => `- ${placeText(each)}: ${coordinatesText(each)}`);
  return new Failure(
    'ambiguous_place',
    [
      `${quoted(text)} may be any of ${candidates.length} places. Ask again with its country or state behind a comma, or with coordinates:`,
      ...lines,
      ...(candidates.length > shown.length ? [`- and ${candidates.length - shown.length} more`] : []),
    ].join('\n'),
    { candidates: shown.map(candidateFacts) },
  );
}

export function candidateFacts(candidate: Candidate): { [name: string]: unknown } {
  const { name, admin1, country, countryCode, timezone, feature, population, elevation } = candidate;
  return {
    place: coordinatesText(candidate),
    name,
    ...(admin1 !== undefined && { admin1 }),
    ...(country !== undefined && { country }),
    ...(countryCode !== undefined && { countryCode }),
    ...(timezone !== undefined && { timezone }),
    ...(feature !== undefined && { feature }),
    ...(population !== undefined && { population }),
    ...(elevation !== undefined && { elevationM: elevation }),
  };
}

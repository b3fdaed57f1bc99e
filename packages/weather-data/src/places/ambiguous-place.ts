import { coordinatesText } from './coordinates.ts';
import { WeatherError, quoted } from '../errors.ts';
import { type Candidate, placeText } from './place.ts';

/** The maximum number of candidates that a question or an error lists. */
export const maxChoices = 10;

/** Returns the error for a name with several candidates. It lists them with coordinates, best first. */
export function ambiguousPlace(text: string, candidates: readonly Candidate[]): WeatherError {
  const shown = candidates.slice(0, maxChoices);
  const lines = shown.map((each) => `- ${placeText(each)}: ${coordinatesText(each)}`);
  return new WeatherError(
    'ambiguous_place',
    [
      `Ambiguous place: ${quoted(text)} matches ${candidates.length} places. Add a country or state after a comma, or use coordinates:`,
      ...lines,
      ...(candidates.length > shown.length ? [`- and ${candidates.length - shown.length} more`] : []),
    ].join('\n'),
    { candidates: shown.map(candidateFacts) },
  );
}

/** The structured content of a candidate. */
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

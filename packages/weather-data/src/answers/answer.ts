import type { Fetched } from '../cache/upstream-document.ts';
import type { Place } from '../places/place.ts';
import type { Series } from '../model/series.ts';
import {
  type Facts,
  provenanceFacts,
  provenanceText,
  type Subject,
  subjectText,
} from '../text/provenance.ts';

/** An answer as text and as structured content. */
export interface Answer {
  readonly text: string;
  readonly facts: Facts;
  /**
   * The facts about the weather alone: without the source, the age and the others that `composeAnswer` adds,
   * which change although the weather does not. Two answers with an equal `core` report the same weather.
   */
  readonly core: Facts;
}

/** Composes an answer. `now` is in milliseconds since 1970; `core` are the facts about the weather. */
export function composeAnswer(
  fetched: Fetched<unknown>,
  subject: Subject,
  now: number,
  text: string,
  core: Facts,
): Answer {
  const heading = subject.place ? [subjectText(subject.place, subject.zone)] : [];
  return {
    text: [...heading, text, '', provenanceText(fetched, subject, now)].join('\n'),
    facts: { ...core, ...provenanceFacts(fetched, subject, now) },
    core,
  };
}

/** Returns the `Subject` of an answer about a series: its place, and where and how good the data are. */
export function subjectOf(
  { model, stale }: Fetched<Series>,
  place: Place,
  more: Partial<Subject> = {},
): Subject {
  const { grid, zone, elevation, issuedAt, notes } = model;
  return { place, grid, zone: zone.name, elevation, issuedAt, stale, notes, ...more };
}

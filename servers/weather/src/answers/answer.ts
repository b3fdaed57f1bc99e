import type { Read } from '../backend/cache/upstream-document.ts';
import { type Place, placeKey } from '../backend/places/place.ts';
import type { Series } from '../backend/model/series.ts';
import {
  type Facts,
  provenanceFacts,
  provenanceText,
  type Subject,
  subjectText,
} from '../text/provenance.ts';
import type { Rendered } from './rendered.ts';

/** Puts the parts of an answer together. */
export function rendered(
  read: Read<unknown>,
  subject: Subject,
  now: number,
  text: string,
  core: Facts,
): Rendered {
  const heading = subject.place ? [subjectText(subject.place, subject.zone)] : [];
  return {
    text: [...heading, text, '', provenanceText(read, subject, now)].join('\n'),
    facts: { ...core, ...provenanceFacts(read, subject, now) },
    core,
  };
}

export function subjectOf(
  { model, stale }: Read<Series>,
  place: Place,
  more: Partial<Subject> = {},
): Subject {
  const { grid, zone, elevation, issuedAt, notes } = model;
  return { place, grid, zone: zone.name, elevation, issuedAt, stale, notes, ...more };
}

/** Two names of one place are two answers: each says how it was asked for. */
export function placeKeyOf(place: Place): string {
  return `${placeKey(place)} ${place.saved ?? ''} ${place.name ?? ''} ${place.notes?.length ?? 0}`;
}

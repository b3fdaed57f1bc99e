import type { Fetched } from '../cache/upstream-document.ts';
import { type Place, placeKey } from '../places/place.ts';
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
  /** The facts without their provenance: a subscriber is notified when these differ. */
  readonly core: Facts;
}

const minuteMs = 60_000;
const maxMemoized = 32;
const memoized = new WeakMap<Fetched<unknown>, MinuteAnswers>();

/** The answers that were composed from the same data in one minute, by place and by what was requested. */
interface MinuteAnswers {
  minute: number;
  size: number;
  readonly byPlace: Map<string, Map<string, Answer>>;
}

/** The data, the place and the time of an answer, and what else identifies it. */
interface AnswerKey {
  readonly fetched: Fetched<unknown>;
  /** From `placeKeyOf`, or the name of an area. */
  readonly place: string;
  readonly request: string;
  readonly nowMs: number;
}

/** Returns the answer that was composed with the same key in the same minute, or composes it. */
export function memoizePerMinute(
  { fetched, place, request, nowMs }: AnswerKey,
  compose: () => Answer,
): Answer {
  const minute = Math.floor(nowMs / minuteMs);
  let known = memoized.get(fetched);
  if (!known) memoized.set(fetched, (known = { minute, size: 0, byPlace: new Map() }));
  // Answers of past minutes are not needed again.
  if (known.minute !== minute || known.size >= maxMemoized) {
    known.minute = minute;
    known.size = 0;
    known.byPlace.clear();
  }
  let answers = known.byPlace.get(place);
  if (!answers) known.byPlace.set(place, (answers = new Map()));
  let answer = answers.get(request);
  if (!answer) {
    known.size++;
    answers.set(request, (answer = compose()));
  }
  return answer;
}

/** Composes an answer: a heading with the place, the text, and the provenance. */
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

/** Returns the subject of an answer about a series. */
export function subjectOf(
  { model, stale }: Fetched<Series>,
  place: Place,
  more: Partial<Subject> = {},
): Subject {
  const { grid, zone, elevation, issuedAt, notes } = model;
  return { place, grid, zone: zone.name, elevation, issuedAt, stale, notes, ...more };
}

const placeKeys = new WeakMap<Place, string>();

/**
 * Identifies a place in the key of an answer. Two names of one place are two answers, as each repeats its
 * name.
 */
export function placeKeyOf(place: Place): string {
  let key = placeKeys.get(place);
  if (key === undefined) {
    key = `${placeKey(place)} ${place.saved ?? ''} ${place.name ?? ''} ${place.notes?.length ?? 0}`;
    placeKeys.set(place, key);
  }
  return key;
}

import { isObject } from '@mcp/kit';
import { invalidReply, type Json, lineIn, listIn, member, objectIn, textIn } from '../../json-fields.ts';
import { type Circle, isInCircle, isInRing, parseCircle, parseRing, type Ring } from '../../model/polygon.ts';
import type { Alert, Alerts } from '../../model/series.ts';
import { foldName, type Place } from '../../places/place.ts';
import { alertOf, bySeverity, currentMessages, maxAreaLength } from '../cap.ts';

/** The alerts of a country. */
export interface Feed {
  readonly alerts: readonly { readonly alert: Alert; readonly areas: readonly Area[] }[];
  readonly notes: readonly string[];
}

interface Area {
  readonly name: string;
  /** The outlines of the area. Most areas have only a code, whose outline MeteoAlarm does not publish. */
  readonly rings: readonly Ring[];
  readonly circles: readonly Circle[];
}

/** Whether a document is a feed of MeteoAlarm. */
export function isFeed(document: unknown): boolean {
  return listIn(document, 'warnings') !== undefined;
}

/** Parses the feed of a country, a list of CAP 1.2 messages as JSON. Alerts that have ended are included. */
export function readFeed(document: unknown): Feed {
  const warnings = listIn(document, 'warnings');
  if (!warnings) throw invalidReply('The document of MeteoAlarm has no list of warnings');
  const messages = warnings
    .map((warning) => objectIn(warning, 'alert'))
    .filter(isObject)
    .map((fields) => ({
      id: textIn(fields, 'identifier'),
      status: textIn(fields, 'status'),
      type: textIn(fields, 'msgType'),
      replaces: referencesIn(fields),
      fields,
    }));
  const { current, notes } = currentMessages(messages);
  const alerts = current.flatMap(({ fields }) =>
    infosIn(fields)
      .filter((info) => !isGreen(info))
      .map((info) => ({
        alert: {
          ...alertOf({ ...info, id: fields['identifier'], sent: fields['sent'] }),
          // CAP 1.2, section 3.2.2: the language is `en-US` if this element is missing.
          language: lineIn(info, 'language', 20) ?? 'en-US',
        },
        areas: objectsIn(info, 'area').map(areaOf),
      })),
  );
  return { alerts, notes };
}

/** Returns the identifiers in a list of references, each in the form `sender,identifier,sent`. */
function referencesIn(message: Json): string[] {
  const references = textIn(message, 'references') ?? '';
  return references.split(/\s+/).flatMap((reference) => reference.split(',')[1] ?? []);
}

/** Returns the English `info` parts of a message or, if it has none, those in the language of its first. */
function infosIn(message: Json): readonly Json[] {
  const infos = objectsIn(message, 'info');
  const languageOf = (info: Json) => (textIn(info, 'language') ?? 'en').slice(0, 2).toLowerCase();
  const english = infos.filter((info) => languageOf(info) === 'en');
  if (english.length > 0) return english;
  return infos.filter((info) => languageOf(info) === languageOf(infos[0]!));
}

/** Whether an `info` of a message has the awareness level `1; green; Minor`: there is no danger. */
function isGreen(info: Json): boolean {
  return objectsIn(info, 'parameter').some(
    (parameter) =>
      textIn(parameter, 'valueName') === 'awareness_level' && textIn(parameter, 'value')?.startsWith('1'),
  );
}

function areaOf(area: Json): Area {
  return {
    name: lineIn(area, 'areaDesc', maxAreaLength) ?? '',
    rings: textsIn(area, 'polygon').flatMap((text) => parseRing(text) ?? []),
    circles: textsIn(area, 'circle').flatMap((text) => parseCircle(text) ?? []),
  };
}

/** Returns the objects of a member. CAP allows a single object instead of a list if there is only one. */
function objectsIn(value: Json, name: string): readonly Json[] {
  const found = member(value, name);
  return (Array.isArray(found) ? found : [found]).filter(isObject);
}

function textsIn(value: Json, name: string): readonly string[] {
  const found = member(value, name);
  return (Array.isArray(found) ? found : [found]).filter((each) => typeof each === 'string');
}

/**
 * Returns the alerts of a feed for a place: first the alerts whose outline contains the place, then those
 * whose area has its name, then those whose area has no outline and may therefore be anywhere in the country.
 */
export function alertsAt({ alerts, notes }: Feed, place: Place, country: string): Alerts {
  const found = alerts.flatMap(({ alert, areas }) => {
    const reach = reachOf(areas, place);
    return reach ? [{ ...alert, area: areaText(reach.areas), reach: reach.by }] : [];
  });
  const joined = joinEqual(found);
  const ordered = (['outline', 'area name', 'country'] as const).flatMap((by) =>
    joined.filter(({ reach }) => reach === by).toSorted(bySeverity),
  );
  const anywhere = ordered.filter(({ reach }) => reach === 'country').length;
  const note = `${anywhere} of the alerts for ${country} may not apply to the place: the source gives no outline of the area`;
  return { issuedAt: null, alerts: ordered, notes: anywhere > 0 ? [...notes, note] : notes };
}

/**
 * Returns the areas that may include a place, and by what they were selected: their outline, their name or
 * only their country. Returns undefined if no area may include it.
 */
function reachOf(areas: readonly Area[], place: Place) {
  const around = areas.filter(
    ({ rings, circles }) =>
      rings.some((ring) => isInRing(ring, place)) || circles.some((circle) => isInCircle(circle, place)),
  );
  if (around.length > 0) return { by: 'outline', areas: around } as const;
  const unknown = areas.filter(({ rings, circles }) => rings.length + circles.length === 0);
  const named = unknown.filter(({ name }) => hasNameOf(name, place));
  if (named.length > 0) return { by: 'area name', areas: named } as const;
  return unknown.length > 0 ? ({ by: 'country', areas: unknown } as const) : undefined;
}

/** Whether the name of an area contains the name of the place, or of its state, as whole words. */
function hasNameOf(area: string, { name, admin1 }: Place): boolean {
  const words = ` ${foldName(area).replaceAll(/[^\p{L}\p{N}]+/gu, ' ')} `;
  return [name, admin1].some((each) => each !== undefined && words.includes(` ${foldName(each)} `));
}

function areaText(areas: readonly Area[]): string {
  return areas.map(({ name }) => name).join('; ');
}

/** Joins alerts that differ only in their area, as some countries send one alert for each district. */
function joinEqual<Found extends Alert>(alerts: readonly Found[]): readonly Found[] {
  const joined = new Map<string, Found>();
  for (const alert of alerts) {
    const { id: _id, sent: _sent, area: _area, ...same } = alert;
    const key = JSON.stringify(same);
    const before = joined.get(key);
    joined.set(key, before ? { ...before, area: joinAreas(before.area, alert.area) } : alert);
  }
  return [...joined.values()];
}

function joinAreas(before: string, more: string): string {
  if (before.endsWith('; …') || before.split('; ').includes(more)) return before;
  const both = `${before}; ${more}`;
  return both.length > maxAreaLength ? `${before}; …` : both;
}

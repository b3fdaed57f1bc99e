import { unitSystems } from '@mcp/weather-data/units';
import { cleanText, type JsonObject, listOf, nameOf, objectOf } from '@mcp/views/model';
import { momentText } from './dates.ts';
import { numberOf, timeOf } from './fields.ts';
import { skyOf } from './sky.ts';
import type { Alert, Candidate, Day, Moment, PlaceWeather, Reading, Source } from './weather.ts';

const maxPlaces = 10;
const maxDays = 16;
const maxHours = 24 * maxDays;
const maxAlerts = 20;

/**
 * Reads the structured content of `refresh_forecast`. The values come from others: each is checked, and what
 * cannot be shown is left out. Undefined without any place.
 */
export function readingOf(content: unknown): Reading | undefined {
  const { now, units, places } = objectOf(content);
  const all = listOf(places, maxPlaces).map((each) => placeOf(objectOf(each)));
  if (all.length === 0) return undefined;
  return {
    now: timeOf(now)?.at ?? Date.now(),
    units: unitSystems.find((each) => each === units) ?? 'metric',
    places: all,
  };
}

function placeOf({ asked, forecast, current, alerts, message, candidates }: JsonObject): PlaceWeather {
  const facts = objectOf(forecast);
  const { name, admin1, country, timezone } = objectOf(facts['place']);
  const now = objectOf(objectOf(current)['current']);
  const days = listOf(facts['days'], maxDays).map((each) => objectOf(each));
  const notices = objectOf(alerts);
  const given = nameOf(asked, 200);
  return {
    asked: typeof asked === 'string' && asked.length <= 200 ? asked : given,
    name: nameOf(name) || nameOf(asked) || 'A place',
    region: [...new Set([nameOf(admin1), nameOf(country)])]
      .filter((part) => part !== '' && part !== nameOf(name))
      .join(', '),
    problem: cleanText(message, 400).split('\n')[0]!,
    candidates: listOf(candidates, 10).map((each) => candidateOf(objectOf(each))),
    current: momentOf(now, now['time'], days),
    hours: hoursOf(objectOf(facts['hours']), days),
    days: days.map(dayOf).filter(({ date }) => date !== ''),
    alerts: listOf(notices['alerts'], maxAlerts).map((each) => alertOf(objectOf(each))),
    alertsProblem: cleanText(notices['message'], 300),
    source: sourceOf(facts, nameOf(timezone) || 'UTC', notices),
  };
}

function candidateOf({ place, name, admin1, country }: JsonObject): Candidate {
  const parts = [nameOf(name), nameOf(admin1), nameOf(country)].filter(Boolean);
  return { place: nameOf(place), text: parts.join(', ') };
}

/** Columns as moments, in the order of their times. */
function hoursOf({ time, ...columns }: JsonObject, days: readonly JsonObject[]): Moment[] {
  const lists = Object.entries(columns).filter((column): column is [string, unknown[]] =>
    Array.isArray(column[1]),
  );
  const hours = listOf(time, maxHours).flatMap((each, index) => {
    const row = Object.fromEntries(lists.map(([name, values]) => [name, values[index]]));
    return momentOf(row, each, days) ?? [];
  });
  return hours.toSorted((a, b) => a.at - b.at);
}

function momentOf(values: JsonObject, time: unknown, days: readonly JsonObject[]): Moment | undefined {
  const moment = timeOf(time);
  if (!moment) return undefined;
  const condition = nameOf(values['condition']);
  const { isDay } = values;
  return {
    ...moment,
    condition,
    sky: skyOf(numberOf(values['weatherCode']), condition),
    isDay: typeof isDay === 'boolean' ? isDay : isLight(moment, days),
    temperature: numberOf(values['temperatureC']),
    feelsLike: numberOf(values['feelsLikeC']),
    humidity: numberOf(values['humidityPercent']),
    precipitation: numberOf(values['precipitationMm']),
    chance: numberOf(values['precipitationChancePercent']),
    wind: numberOf(values['windSpeedKmh']),
    gusts: numberOf(values['windGustsKmh']),
    direction: numberOf(values['windDirectionDegrees']),
  };
}

/** Whether the sun is up, by the day of the moment; true if that is unknown. */
function isLight({ at, date }: { readonly at: number; readonly date: string }, days: readonly JsonObject[]) {
  const { sunrise, sunset, sun } = days.find((day) => day['date'] === date) ?? {};
  const [rise, set] = [timeOf(sunrise)?.at, timeOf(sunset)?.at];
  if (rise === undefined || set === undefined) return sun !== 'down all day';
  // At some places the sun sets after midnight: then it is up outside of these hours.
  return rise <= set ? at >= rise && at < set : at >= rise || at < set;
}

function dayOf(values: JsonObject): Day {
  const { date } = values;
  const condition = nameOf(values['condition']);
  return {
    date: typeof date === 'string' && /^\d{4}-\d\d-\d\d$/.test(date) ? date : '',
    condition,
    sky: skyOf(numberOf(values['weatherCode']), condition),
    low: numberOf(values['temperatureMinC']),
    high: numberOf(values['temperatureMaxC']),
    precipitation: numberOf(values['precipitationMm']),
    chance: numberOf(values['precipitationChancePercent']),
    wind: numberOf(values['windSpeedKmh']),
  };
}

const severities = ['Extreme', 'Severe', 'Moderate', 'Minor', 'Unknown'] as const;

function alertOf({ severity, headline, description, instruction, ...alert }: JsonObject): Alert {
  return {
    event: nameOf(alert['event'], 120) || 'Alert',
    severity: severities.find((each) => each === severity) ?? 'Unknown',
    area: nameOf(alert['area'], 200),
    isUncertain: alert['reach'] === 'country',
    from: momentText(alert['onset']),
    until: momentText(alert['ends']),
    sender: nameOf(alert['sender'], 120),
    texts: [headline, description, instruction].map((text) => cleanText(text, 4_000)).filter(Boolean),
  };
}

const sourceNames: { readonly [source: string]: string } = {
  'open-meteo': 'Open-Meteo',
  nws: 'National Weather Service',
};

function sourceOf(facts: JsonObject, zone: string, alerts: JsonObject): Source {
  const issued = timeOf(facts['issuedAt'])?.at;
  const source = nameOf(facts['source']).replace(/^(?:sample|dataset) \((.*)\)$/, '$1');
  const attributions = [facts['attribution'], alerts['attribution']].map((each) => nameOf(each, 300));
  const { message } = objectOf(facts['problem']);
  return {
    name: Object.hasOwn(sourceNames, source) ? sourceNames[source]! : source,
    isSample: facts['sample'] === true,
    isStale: facts['stale'] === true,
    since: issued ?? timeOf(facts['fetchedAt'])?.at ?? null,
    isIssued: issued !== undefined,
    zone,
    attribution: [...new Set(attributions)].filter(Boolean).join('. '),
    notes: [message, ...listOf(facts['notes'], 8)].map((note) => cleanText(note, 300)).filter(Boolean),
  };
}

import { infoOf, type Measure, measureNames } from './model/measures.ts';
import { unitOf, unitSystems } from './model/units.ts';
import { airMeasures } from './providers/open-meteo/air-quality.ts';

type Json = { readonly [name: string]: unknown };

const text = { type: 'string' };
const texts = { type: 'array', items: text };
const number = { type: 'number' };
const integer = { type: 'integer' };
const orNull = (type: string) => ({ type: [type, 'null'] });

/** Returns the schema of an object that has only these members. A name that ends with `?` is optional. */
function object(members: { readonly [name: string]: Json }, patterns: Json = {}): Json {
  const properties = Object.entries(members).map(
    ([name, schema]) => [name.replace('?', ''), schema] as const,
  );
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: Object.keys(members).filter((name) => !name.endsWith('?')),
    ...(Object.keys(patterns).length > 0 && { patternProperties: patterns }),
    additionalProperties: false,
  };
}

function list(items: Json): Json {
  return { type: 'array', items };
}

/**
 * Returns a regular expression that matches the names of facts, such as `temperatureC` or `temperatureF`: the
 * name of a measure with the suffix of one of its units.
 */
function namesOf(measures: readonly Measure[]): string {
  const bySuffixes = new Map<string, Measure[]>();
  for (const measure of measures) {
    const { quantity } = infoOf(measure);
    const suffixes = [...new Set(unitSystems.map((system) => unitOf(quantity, system).suffix))].join('|');
    bySuffixes.set(suffixes, [...(bySuffixes.get(suffixes) ?? []), measure]);
  }
  const groups = [...bySuffixes].map(([suffixes, names]) => `(?:${names.join('|')})(?:${suffixes})`);
  return `^(?:${groups.join('|')})$`;
}

const value = { $ref: '#/$defs/value' };
const values = namesOf(measureNames);

const place = object({
  'saved?': text,
  'name?': text,
  'admin1?': text,
  'country?': text,
  'countryCode?': text,
  latitude: number,
  longitude: number,
  'timezone?': text,
  'elevationM?': number,
  'gridLatitude?': number,
  'gridLongitude?': number,
});

/** An error in place of an answer; its other members depend on `error`. */
const failure = {
  type: 'object',
  properties: { error: text, message: text },
  required: ['error', 'message'],
};

const provenance = {
  source: text,
  'sample?': { type: 'boolean' },
  issuedAt: orNull('string'),
  fetchedAt: text,
  stale: { type: 'boolean' },
  'ageSeconds?': integer,
  attribution: text,
  'place?': { $ref: '#/$defs/place' },
  'gridDistanceKm?': orNull('number'),
  'notes?': texts,
  'problem?': failure,
};

const measured = { type: ['number', 'boolean', 'null'] };

const day = object(
  {
    date: text,
    condition: orNull('string'),
    'sunrise?': text,
    'sunset?': text,
    'sun?': { enum: ['up all day', 'down all day'] },
    'incomplete?': text,
    'models?': object(
      {},
      {
        [namesOf(['temperatureMax', 'temperatureMin', 'precipitation'])]: {
          type: 'array',
          items: number,
          minItems: 2,
          maxItems: 2,
        },
      },
    ),
    'dayLengthMinutes?': integer,
    'moonPhase?': text,
    'moonLitPercent?': integer,
  },
  { [values]: value },
);

const columns = (members: { readonly [name: string]: Json }) =>
  object(members, { [values]: { type: 'array', items: value } });

const current = object({
  current: object({ time: text, condition: orNull('string') }, { [values]: value }),
  'quarters?': columns({ until: texts }),
  ...provenance,
});

const forecast = object({
  'days?': list(day),
  'hours?': columns({ time: texts, 'condition?': list(orNull('string')) }),
  'nextHour?': text,
  'chart?': text,
  ...provenance,
});

const summary = object(
  { days: integer, 'count?': object({ condition: text, days: integer, of: integer }) },
  {
    [values]: object({
      'total?': number,
      'mean?': number,
      max: number,
      maxDate: text,
      'min?': number,
      'minDate?': text,
      'knownDays?': integer,
    }),
  },
);

const history = object({
  'days?': list(day),
  'summary?': summary,
  'normal?': object({ period: text, years: integer }, { [values]: number }),
  'nextStart?': text,
  ...provenance,
});

const alert = object({
  id: text,
  event: text,
  severity: { enum: ['Extreme', 'Severe', 'Moderate', 'Minor', 'Unknown'] },
  urgency: text,
  certainty: text,
  area: text,
  headline: orNull('string'),
  description: orNull('string'),
  instruction: orNull('string'),
  sender: orNull('string'),
  sent: orNull('string'),
  onset: orNull('string'),
  ends: orNull('string'),
  'language?': text,
  'reach?': { enum: ['outline', 'area name', 'country'] },
});

const alerts = object({
  'state?': text,
  count: integer,
  alerts: list(alert),
  'nextCursor?': integer,
  ...provenance,
});

const airNames = Object.keys(airMeasures).map((name) => {
  const camel = name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  return camel + unitOf(airMeasures[name]!.quantity, 'metric').suffix;
});

const air = object({
  air: object(
    { time: text },
    { [`^(?:${airNames.join('|')})$`]: orNull('number'), [`^(?:${airNames.join('|')})Band$`]: text },
  ),
  ...provenance,
});

const candidate = object({
  place: text,
  name: text,
  'admin1?': text,
  'country?': text,
  'countryCode?': text,
  'timezone?': text,
  'feature?': text,
  'population?': number,
  'elevationM?': number,
});

const found = object({
  'sample?': { type: 'boolean' },
  count: integer,
  places: list(candidate),
  attribution: text,
});

const definitions = { $defs: { value: measured, place } };

/** Returns a schema for the facts about one place, or for a list in which a place may have an error. */
function ofPlaces(one: Json): Json {
  const answer = { $ref: '#/$defs/answer' };
  const several = object({ places: list({ anyOf: [answer, failure] }), 'leftOut?': texts });
  return { type: 'object', anyOf: [answer, several], $defs: { ...definitions.$defs, answer: one } };
}

/** The JSON Schemas (2020-12) of the facts in answers, keyed by the `WeatherAnswers` method. */
export const factSchemas = {
  search: found,
  current: ofPlaces(current),
  forecast: ofPlaces(forecast),
  history: { ...history, ...definitions },
  alerts: { ...alerts, ...definitions },
  airQuality: ofPlaces(air),
} satisfies { readonly [answer: string]: Json };

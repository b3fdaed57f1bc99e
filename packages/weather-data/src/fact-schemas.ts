import { infoOf, type Measure, measureNames, type Quantity } from './model/measures.ts';
import { unitOf, unitSystems } from './model/units.ts';
import { airMeasures } from './providers/open-meteo/air-quality.ts';

type Json = { readonly [name: string]: unknown };

/** The schemas of the members of an object. A name that ends with `?` is that of an optional member. */
export type FactMembers = { readonly [name: string]: Json };

const text = { type: 'string' };
const texts = { type: 'array', items: text };
const number = { type: 'number' };
const integer = { type: 'integer' };
const orNull = (type: string) => ({ type: [type, 'null'] });

/** Returns the schema of an object that has only these members. */
function object(members: FactMembers, patterns: Json = {}): Json {
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

const columns = (members: FactMembers) => object(members, { [values]: { type: 'array', items: value } });

const current: FactMembers = {
  current: object({ time: text, condition: orNull('string') }, { [values]: value }),
  'quarters?': columns({ until: texts }),
};

const forecast: FactMembers = {
  'days?': list(day),
  'hours?': columns({ time: texts, 'condition?': list(orNull('string')) }),
  'nextHour?': text,
  'chart?': text,
};

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

const history: FactMembers = {
  'days?': list(day),
  'summary?': summary,
  'normal?': object({ period: text, years: integer }, { [values]: number }),
  'nextStart?': text,
};

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

const alerts: FactMembers = {
  'state?': text,
  count: integer,
  alerts: list(alert),
  'nextCursor?': integer,
};

const airNames = Object.keys(airMeasures).map((name) => {
  const camel = name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  return camel + unitOf(airMeasures[name]!.quantity, 'metric').suffix;
});

const air: FactMembers = {
  air: object(
    { time: text },
    { [`^(?:${airNames.join('|')})$`]: orNull('number'), [`^(?:${airNames.join('|')})Band$`]: text },
  ),
};

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

/**
 * The JSON Schemas (2020-12) of the facts in answers. `forecast` is also the schema of the answers of the
 * methods `day`, `hours` and `chart` of `WeatherAnswers`. `search` is for the results of
 * `WeatherService.search`, as `candidateFacts` returns them; it is not a method of `WeatherAnswers`.
 */
export const factSchemas = {
  search: found,
  current: placesSchema(current),
  forecast: placesSchema(forecast),
  history: answerSchema(history),
  alerts: answerSchema(alerts),
  airQuality: placesSchema(air),
} satisfies { readonly [answer: string]: Json };

/**
 * Returns the JSON Schema (2020-12) of the facts that `composeAnswer` returns: the members of its `core`,
 * whose schemas are given, and those that it adds, such as `source` and `attribution`. It accepts no other
 * member. A name in `core` that ends with `?` is that of an optional member.
 */
export function answerSchema(core: FactMembers): Json {
  return { ...object({ ...core, ...provenance }), ...definitions };
}

/**
 * Returns the JSON Schema (2020-12) of either one answer, as {@link answerSchema} does, or an object with
 * several: `places` has an answer or an error for each place, and `leftOut` the places for which there was no
 * room.
 */
export function placesSchema(core: FactMembers): Json {
  const answer = { $ref: '#/$defs/answer' };
  const several = object({ places: list({ anyOf: [answer, failure] }), 'leftOut?': texts });
  const one = object({ ...core, ...provenance });
  return { type: 'object', anyOf: [answer, several], $defs: { ...definitions.$defs, answer: one } };
}

/**
 * Returns the schemas of a value in each unit of its quantity. `valueSchemas('low', 'temperature')` has
 * `lowC`, `lowF` and `lowK`, each a number or, for "no data", null. All are optional, as an answer has only
 * one of them.
 */
export function valueSchemas(name: string, quantity: Quantity): FactMembers {
  const names = unitSystems.map((system) => `${name}${unitOf(quantity, system).suffix}?`);
  return Object.fromEntries(names.map((each) => [each, orNull('number')]));
}

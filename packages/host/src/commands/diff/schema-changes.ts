import { isObject } from '@mcp/kit';
import { canonical } from '../../trust/fingerprint.ts';

type Schema = Readonly<Record<string, unknown>>;

/**
 * Which values are valid after a change: with `fewer`, some that were sent before are refused; with `more`,
 * some are given that were not given before; with `other`, both.
 */
export type ValidValues = 'fewer' | 'more' | 'other' | 'same';

/** One difference between two schemas: the path of a property, and what has changed. */
export interface SchemaChange {
  readonly path: string;
  readonly text: string;
  readonly valid: ValidValues;
}

const maxDepth = 64;

/**
 * The differences between two schemas without references, down to properties and items. After a change of a
 * keyword that is not understood, such as `pattern`, other values are valid.
 */
export function schemaChanges(before: unknown, now: unknown, path = '', depth = 0): readonly SchemaChange[] {
  if (canonical(before ?? true) === canonical(now ?? true)) return [];
  if (depth > maxDepth) return [{ path, text: 'changed', valid: 'other' }];
  const [old, young] = [isObject(before) ? before : {}, isObject(now) ? now : {}];
  const at = (step: string) => (path === '' ? step : `${path}.${step}`);
  const oldItems = isObject(old['items']) ? old['items'] : {};
  const youngItems = isObject(young['items']) ? young['items'] : {};
  return [
    ...typeChanges(old, young),
    ...valueChanges(old, young),
    ...limitChanges(old, young),
    ...furtherChanges(old, young),
    ...otherChanges(old, young),
  ]
    .map(([text, valid]): SchemaChange => ({ path, text, valid }))
    .concat(
      propertyChanges(old, young, at, depth),
      schemaChanges(oldItems, youngItems, `${path}[]`, depth + 1),
    );
}

type Change = readonly [text: string, valid: ValidValues];

function typeChanges(before: Schema, now: Schema): Change[] {
  if (valuesOf(before) && valuesOf(now)) return [];
  const [old, young] = [typesOf(before), typesOf(now)];
  const isIn = (type: string, types: readonly string[]) =>
    types.length === 0 || types.includes(type) || (type === 'integer' && types.includes('number'));
  const lost = old.length === 0 ? young.length > 0 : old.some((each) => !isIn(each, young));
  const gained = young.length === 0 ? old.length > 0 : young.some((each) => !isIn(each, old));
  if (!lost && !gained) return [];
  const text = (types: readonly string[]) => (types.length === 0 ? 'any' : types.join(' | '));
  return [[`type ${text(old)} → ${text(young)}`, lost && gained ? 'other' : lost ? 'fewer' : 'more']];
}

function typesOf(schema: Schema): readonly string[] {
  const { type } = schema;
  const values = valuesOf(schema);
  if (type === undefined && values) return [...new Set(values.map(typeOf))];
  return (Array.isArray(type) ? type : [type]).filter((each) => typeof each === 'string');
}

/** The type of a value that is given as JSON. */
function typeOf(json: string): string {
  const value: unknown = JSON.parse(json);
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

function valueChanges(before: Schema, now: Schema): Change[] {
  const [old, young] = [valuesOf(before), valuesOf(now)];
  if (!old && !young) return [];
  if (!young) return [[`any value, no longer only ${old!.join(', ')}`, 'more']];
  if (!old) return [[`only ${young.join(', ')}`, 'fewer']];
  const lost = old.filter((each) => !young.includes(each));
  const gained = young.filter((each) => !old.includes(each));
  return [
    ...lost.map((each): Change => [`value ${each} removed`, 'fewer']),
    ...gained.map((each): Change => [`value ${each} added`, 'more']),
  ];
}

function valuesOf(schema: Schema): readonly string[] | undefined {
  if (Object.hasOwn(schema, 'const')) return [canonical(schema['const'])];
  return Array.isArray(schema['enum']) ? schema['enum'].map(canonical) : undefined;
}

/** Limits, with the sign of a change that leaves fewer values. */
const limits: Readonly<Record<string, 1 | -1>> = {
  minimum: 1,
  exclusiveMinimum: 1,
  minLength: 1,
  minItems: 1,
  minProperties: 1,
  maximum: -1,
  exclusiveMaximum: -1,
  maxLength: -1,
  maxItems: -1,
  maxProperties: -1,
};

function limitChanges(before: Schema, now: Schema): Change[] {
  return Object.entries(limits).flatMap(([key, sign]): Change[] => {
    const [old, young] = [before[key], now[key]];
    // Lengths are at least 0 without a limit.
    const none = /^min[A-Z]/.test(key) ? 0 : -sign * Infinity;
    const value = (limit: unknown) => (typeof limit === 'number' ? limit : none);
    const text = (limit: unknown) => (limit === undefined ? 'none' : canonical(limit));
    if (value(old) === value(young)) return [];
    const isNarrower = sign * (value(young) - value(old)) > 0;
    return [[`${key} ${text(old)} → ${text(young)}`, isNarrower ? 'fewer' : 'more']];
  });
}

function furtherChanges(before: Schema, now: Schema): Change[] {
  const [old, young] = [before['additionalProperties'], now['additionalProperties']];
  if (canonical(old ?? true) === canonical(young ?? true)) return [];
  if (young === false) return [['no further properties', 'fewer']];
  return old === false ? [['further properties', 'same']] : [['further properties changed', 'other']];
}

function propertyChanges(
  before: Schema,
  now: Schema,
  at: (name: string) => string,
  depth: number,
): SchemaChange[] {
  const [old, young] = [before, now].map(({ properties }) => (isObject(properties) ? properties : {}));
  const [needed, needs] = [before, now].map(
    ({ required }) =>
      new Set(Array.isArray(required) ? required.filter((each) => typeof each === 'string') : []),
  );
  const names = new Set([...Object.keys(old!), ...Object.keys(young!), ...needed!, ...needs!]);
  return Array.from(names).flatMap((name): readonly SchemaChange[] => {
    const path = at(name);
    const isRequired = needs!.has(name);
    const [wasListed, isListed] = [Object.hasOwn(old!, name), Object.hasOwn(young!, name)];
    if (wasListed && !isListed) return [{ path, text: 'removed', valid: 'other' }];
    if (isListed && !wasListed && !needed!.has(name))
      return [{ path, text: `added${isRequired ? ', required' : ''}`, valid: isRequired ? 'fewer' : 'same' }];
    const changed = needed!.has(name) === isRequired ? [] : [isRequired];
    return [
      ...changed.map((required): SchemaChange =>
        required
          ? { path, text: 'became required', valid: 'fewer' }
          : { path, text: 'became optional', valid: 'more' },
      ),
      ...schemaChanges(old![name], young![name], path, depth + 1),
    ];
  });
}

const compared = [
  'type',
  'enum',
  'const',
  'properties',
  'required',
  'additionalProperties',
  ...Object.keys(limits),
];
/** Keywords that say something to people and models, and refuse no value. */
const texts = [
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  '$comment',
];

function otherChanges(before: Schema, now: Schema): Change[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(now)]);
  return Array.from(keys)
    .filter((key) => !compared.includes(key) && !['$schema', '$defs', 'definitions', '$id'].includes(key))
    .filter((key) => key !== 'items' || !isObject(before[key] ?? {}) || !isObject(now[key] ?? {}))
    .filter((key) => canonical(before[key] ?? null) !== canonical(now[key] ?? null))
    .map((key): Change => {
      const isText = texts.includes(key) || withoutTexts(before[key]) === withoutTexts(now[key]);
      return [`${key} changed`, isText ? 'same' : 'other'];
    });
}

/** A part of a schema as JSON, without its texts. A property with the name of a text has a schema. */
export function withoutTexts(part: unknown): string {
  const isText = (key: string, value: unknown) => texts.includes(key) && !isObject(value) && value !== true;
  const json = JSON.stringify(part ?? null, (key, value: unknown) =>
    isText(key, value) ? undefined : value,
  );
  return canonical(JSON.parse(json));
}

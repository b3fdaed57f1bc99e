import { isObject } from '@mcp/kit';
import { canonical } from '../../trust/fingerprint.ts';

type Schema = Readonly<Record<string, unknown>>;

/** For whom a change breaks what worked before: who sends values of the schema, or who reads them. */
type Broken = 'senders' | 'readers' | 'both' | 'nobody';

/** One difference between two schemas: the path of a property, and what has changed. */
export interface SchemaChange {
  readonly path: string;
  readonly text: string;
  readonly breaks: Broken;
}

const maxDepth = 64;

/**
 * The differences between two schemas without references, down to properties and items. A keyword that is not
 * understood, such as `pattern`, counts as breaking for both.
 */
export function schemaChanges(before: unknown, now: unknown, path = '', depth = 0): readonly SchemaChange[] {
  if (canonical(before ?? true) === canonical(now ?? true) || depth > maxDepth) return [];
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
    .map(([text, breaks]): SchemaChange => ({ path, text, breaks }))
    .concat(
      propertyChanges(old, young, at, depth),
      schemaChanges(oldItems, youngItems, `${path}[]`, depth + 1),
    );
}

type Change = readonly [text: string, breaks: Broken];

/** What a change of sets breaks: senders need the members that are gone, readers do not know the new ones. */
function brokenBy(hasLost: boolean, hasGained: boolean): Broken {
  if (hasLost) return hasGained ? 'both' : 'senders';
  return hasGained ? 'readers' : 'nobody';
}

function typeChanges(before: Schema, now: Schema): Change[] {
  const [old, young] = [typesOf(before), typesOf(now)];
  const isIn = (type: string, types: readonly string[]) =>
    types.length === 0 || types.includes(type) || (type === 'integer' && types.includes('number'));
  const lost = old.length === 0 ? young.length > 0 : old.some((each) => !isIn(each, young));
  const gained = young.length === 0 ? old.length > 0 : young.some((each) => !isIn(each, old));
  if (!lost && !gained) return [];
  const text = (types: readonly string[]) => (types.length === 0 ? 'any' : types.join(' | '));
  return [[`type ${text(old)} → ${text(young)}`, brokenBy(lost, gained)]];
}

function typesOf({ type }: Schema): readonly string[] {
  return (Array.isArray(type) ? type : [type]).filter((each) => typeof each === 'string');
}

function valueChanges(before: Schema, now: Schema): Change[] {
  const [old, young] = [valuesOf(before), valuesOf(now)];
  if (!old && !young) return [];
  if (!young) return [['takes any value, no longer only some', 'readers']];
  if (!old) return [[`takes only ${young.join(', ')}`, 'senders']];
  const lost = old.filter((each) => !young.includes(each));
  const gained = young.filter((each) => !old.includes(each));
  return [
    ...lost.map((each): Change => [`value ${each} removed`, 'senders']),
    ...gained.map((each): Change => [`value ${each} added`, 'readers']),
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
    if (old === young) return [];
    const value = (limit: unknown) => (typeof limit === 'number' ? limit : -sign * Infinity);
    const text = (limit: unknown) => (limit === undefined ? 'none' : canonical(limit));
    const narrows = sign * (value(young) - value(old)) > 0;
    return [[`${key} ${text(old)} → ${text(young)}`, narrows ? 'senders' : 'readers']];
  });
}

function furtherChanges(before: Schema, now: Schema): Change[] {
  const [old, young] = [before['additionalProperties'], now['additionalProperties']];
  if (canonical(old ?? true) === canonical(young ?? true)) return [];
  if (young === false) return [['takes no further properties', 'senders']];
  return old === false ? [['takes further properties', 'nobody']] : [['further properties changed', 'both']];
}

function propertyChanges(
  before: Schema,
  now: Schema,
  at: (name: string) => string,
  depth: number,
): SchemaChange[] {
  const [old, young] = [before, now].map(({ properties }) => (isObject(properties) ? properties : {}));
  const [needed, needs] = [before, now].map(
    ({ required }) => new Set<unknown>(Array.isArray(required) ? required : []),
  );
  const names = new Set([...Object.keys(old!), ...Object.keys(young!)]);
  return Array.from(names).flatMap((name): readonly SchemaChange[] => {
    const path = at(name);
    const isRequired = needs!.has(name);
    if (!Object.hasOwn(young!, name)) return [{ path, text: 'removed', breaks: 'both' }];
    if (!Object.hasOwn(old!, name))
      return [
        { path, text: `added${isRequired ? ', required' : ''}`, breaks: isRequired ? 'senders' : 'nobody' },
      ];
    const changed = needed!.has(name) === isRequired ? [] : [isRequired];
    return [
      ...changed.map((required): SchemaChange =>
        required
          ? { path, text: 'became required', breaks: 'senders' }
          : { path, text: 'became optional', breaks: 'readers' },
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
    .map((key): Change => [`${key} changed`, texts.includes(key) ? 'nobody' : 'both']);
}

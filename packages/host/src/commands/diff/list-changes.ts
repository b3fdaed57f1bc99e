import { isObject } from '@mcp/kit';
import { type JsonSchema, plainSchema } from '@mcp/vendors/content';
import type { ListItems, ListName } from '../../servers/lists.ts';
import { canonical } from '../../trust/fingerprint.ts';
import { type PinnedTool, pinOf, toolChanges } from '../../trust/tool-changes.ts';
import { type SchemaChange, schemaChanges, withoutTexts } from './schema-changes.ts';

/** All that a server lists and declares. */
export type ServerLists = { readonly [K in ListName]: readonly ListItems[K][] } & {
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly instructions: string | undefined;
};

/** A difference between two servers: an item of a list, and what has changed in it. */
export interface ListChange {
  readonly list: ListName | 'capabilities' | 'instructions';
  readonly name: string;
  readonly kind: 'added' | 'removed' | 'renamed' | 'changed';
  readonly breaking: boolean;
  readonly details: readonly Detail[];
}

interface Detail {
  readonly text: string;
  readonly breaking: boolean;
}

/** The differences between what two servers list and declare. What is gone or refuses more is breaking. */
export function listChanges(before: ServerLists, now: ServerLists): readonly ListChange[] {
  const instructions = (text = '') => (text === '' ? [] : [{ text }]);
  return [
    ...changesOfTools(before.tools, now.tools),
    ...changesIn('prompts', before.prompts, now.prompts, ({ name }) => name, promptDetails),
    ...changesIn('resources', before.resources, now.resources, ({ uri }) => uri),
    ...changesIn(
      'resourceTemplates',
      before.resourceTemplates,
      now.resourceTemplates,
      ({ uriTemplate }) => uriTemplate,
    ),
    ...changesIn('capabilities', declared(before), declared(now), ({ name }) => name),
    ...changesIn(
      'instructions',
      instructions(before.instructions),
      instructions(now.instructions),
      () => 'instructions',
    ).map((each) => ({ ...each, breaking: false })),
  ];
}

/** The capabilities of a server, and its extensions, each with its settings. */
function declared({ capabilities }: ServerLists): { readonly name: string }[] {
  const { extensions, ...own } = capabilities;
  const all = { ...own, ...(isObject(extensions) ? extensions : {}) };
  return Object.entries(all).map(([name, settings]) => ({ name, settings }));
}

function changesOfTools(before: readonly PinnedTool[], now: readonly PinnedTool[]): ListChange[] {
  return toolChanges(before, now).map((change) => {
    const { kind, name } = change;
    const details =
      kind === 'changed'
        ? toolDetails(change.before, change.now)
        : kind === 'renamed'
          ? [{ text: `was ${change.from}`, breaking: true }]
          : [];
    return withDetails('tools', name, kind, details);
  });
}

function toolDetails(before: PinnedTool, now: PinnedTool): Detail[] {
  const { inputSchema: oldInput, outputSchema: oldOutput, ...old } = pinOf(before);
  const { inputSchema, outputSchema, ...young } = pinOf(now);
  return [
    ...fieldDetails(old, young),
    ...schemaDetails(oldInput, inputSchema, 'argument', 'fewer'),
    ...outputDetails(oldOutput, outputSchema),
  ];
}

/** The fields that differ and refuse nothing, such as texts. */
function fieldDetails(before: object, now: object): Detail[] {
  const [old, young] = [new Map(Object.entries(before)), new Map(Object.entries(now))];
  const keys = [...new Set([...old.keys(), ...young.keys()])];
  return keys
    .filter((key) => canonical(old.get(key) ?? null) !== canonical(young.get(key) ?? null))
    .map((key) => ({ text: `${key} changed`, breaking: false }));
}

function outputDetails(before: unknown, now: unknown): Detail[] {
  if (before === undefined)
    return now === undefined ? [] : [{ text: 'has a structured result', breaking: false }];
  if (now === undefined) return [{ text: 'has no structured result any more', breaking: true }];
  return schemaDetails(before, now, 'result', 'more');
}

function schemaDetails(
  before: unknown,
  now: unknown,
  what: 'argument' | 'result',
  breaks: 'fewer' | 'more',
): Detail[] {
  const [old, young] = [before, now].map((each) => (isObject(each) ? each : {}));
  const isSame = withoutTexts(combinedIn(old!)) === withoutTexts(combinedIn(young!));
  const combined: SchemaChange = { path: '', text: 'anyOf, oneOf or allOf changed', valid: 'other' };
  const changes = schemaChanges(plainSchema(old!), plainSchema(young!));
  return [...changes, ...(isSame ? [] : [combined])].map(detailFor(what, breaks));
}

/** The schemas that are combined at the root of a schema; `plainSchema` makes one object of them. */
function combinedIn({ anyOf, oneOf, allOf, ...schema }: JsonSchema): unknown {
  const moved = plainSchema({ ...schema, properties: { root: { anyOf, oneOf, allOf } } });
  return isObject(moved['properties']) ? moved['properties']['root'] : undefined;
}

/** Arguments of a prompt are compared as the properties of a schema. */
function promptDetails(before: ListItems['prompts'], now: ListItems['prompts']): Detail[] {
  const schemaOf = ({ arguments: args = [] }: ListItems['prompts']) => ({
    properties: Object.fromEntries(args.map(({ name, description }) => [name, { description }])),
    required: args.filter(({ required }) => required).map(({ name }) => name),
  });
  const { arguments: _, ...old } = before;
  const { arguments: __, ...young } = now;
  return [
    ...fieldDetails(old, young),
    ...schemaChanges(schemaOf(before), schemaOf(now)).map(detailFor('argument', 'fewer')),
  ];
}

/** Arguments break if fewer values are valid than before, results if more are. */
function detailFor(what: 'argument' | 'result', breaks: 'fewer' | 'more') {
  return ({ path, text, valid }: SchemaChange): Detail => ({
    text: path === '' ? `${what}s: ${text}` : `${what} ${path}: ${text}`,
    breaking: valid === breaks || valid === 'other',
  });
}

/** The differences between two lists whose items have unique names. */
function changesIn<Item extends object>(
  list: ListChange['list'],
  before: readonly Item[],
  now: readonly Item[],
  nameOf: (item: Item) => string,
  detailsOf: (before: Item, now: Item) => Detail[] = fieldDetails,
): ListChange[] {
  const old = new Map(before.map((item) => [nameOf(item), item]));
  const young = new Map(now.map((item) => [nameOf(item), item]));
  const changes: ListChange[] = [];
  for (const [name, item] of young) {
    const known = old.get(name);
    if (!known) changes.push(withDetails(list, name, 'added', []));
    else if (canonical(known) !== canonical(item))
      changes.push(withDetails(list, name, 'changed', detailsOf(known, item)));
  }
  const removed = [...old.keys()].filter((name) => !young.has(name));
  return [...changes, ...removed.map((name) => withDetails(list, name, 'removed', []))];
}

function withDetails(
  list: ListChange['list'],
  name: string,
  kind: ListChange['kind'],
  details: readonly Detail[],
): ListChange {
  return { list, name, kind, breaking: kind === 'removed' || details.some((each) => each.breaking), details };
}

import { expect, test } from 'vitest';
import { openApiTools, type OpenApiOptions, type Selection } from '../src/index.ts';
import { documentOf } from './stub-api.ts';

const document = documentOf({
  '/pets': {
    get: { operationId: 'pets/list', tags: ['pets'] },
    post: { operationId: 'pets/add', tags: ['pets', 'admin'] },
  },
  '/orders/{id}': {
    get: { tags: ['orders'], deprecated: true, parameters: [{ name: 'id', in: 'path', schema: {} }] },
  },
});

function namesOf(select: Selection, options: Partial<OpenApiOptions> = {}): string[] {
  return openApiTools(document, { baseUrl: 'http://x', select, ...options }).map(({ name }) => name);
}

test('operations are chosen by tags, ids and a function', () => {
  expect(namesOf({ tags: ['pets'] })).toEqual(['pets_list', 'pets_add']);
  expect(namesOf({ ids: ['GET /orders/{id}'], tags: ['admin'] })).toEqual(['pets_add', 'GET_orders_id']);
  expect(namesOf({ tags: ['pets'], where: ({ method }) => method === 'GET' })).toEqual(['pets_list']);
  expect(namesOf({ where: ({ deprecated }) => !deprecated })).toEqual(['pets_list', 'pets_add']);
});

test.each([{}, undefined])('without a selection, the error lists what there is', (select) => {
  expect(() => namesOf(select as Selection)).toThrow(
    'No operation is selected. The document has 3 operations. Tags: "pets" (2), "admin" (1), "orders" (1). ' +
      'Ids: "pets/list", "pets/add", "GET /orders/{id}"',
  );
});

test.each([
  [{ tags: ['pet'] }, '`select.tags`: no operation has the tag "pet"; did you mean "pets"?'],
  [{ ids: ['pets/lst'] }, '`select.ids`: no operation has the id "pets/lst"; did you mean "pets/list"'],
  [{ where: () => false }, '`select` matches no operation. The document has 3 operations.'],
  [{ ids: [] }, '`select` matches no operation'],
])('%j is refused', (select: Selection, message) => {
  expect(() => namesOf(select)).toThrow(message);
});

test('too many operations, two tools with one name, and changes of unknown operations are refused', () => {
  const all = { where: () => true };
  expect(() => namesOf(all, { limits: { maxTools: 2 } })).toThrow(
    '`select` matches 3 operations, more than `limits.maxTools`: 2; choose fewer',
  );
  expect(() => namesOf(all, { operations: { 'pets/add': { name: 'pets_list' } } })).toThrow(
    'Another tool has the name "pets_list" of the operation "pets/add" (POST /pets); give it a `name` in `operations`',
  );
  expect(() => namesOf(all, { operations: { 'pets/ad': {} } })).toThrow(
    '`operations`: no operation has the id "pets/ad"; did you mean "pets/add"?',
  );
});

test.each(['/v1', 'ftp://x/', 'https://user:secret@x/', 'https://x/?key=secret', 'https://x/#a'])(
  'the base URL %s is refused',
  (baseUrl) => {
    const make = () => namesOf({ tags: ['pets'] }, { baseUrl });
    expect(make).toThrow(
      'Invalid `baseUrl`: expected an http or https URL without a user, a query or a fragment',
    );
    expect(make).not.toThrow('secret');
  },
);

test.each([
  [{ timeoutMs: 1 }, 'The options cannot have "timeoutMs"; it belongs in `limits`'],
  [{ tags: ['pets'] }, 'The options cannot have "tags"; it belongs in `select`'],
  [{ omit: ['a'] }, 'The options cannot have "omit"; it belongs in `operations[id]`'],
  [{ header: {} }, 'The options cannot have "header"; did you mean "headers"?'],
  [
    { retries: 1 },
    'The options cannot have "retries"; expected baseUrl, select, operations, headers, query, fetch, limits',
  ],
  [{ limits: { timeout: 1 } }, '`limits` cannot have "timeout"; did you mean "timeoutMs"?'],
  [{ limits: { headers: {} } }, '`limits` cannot have "headers", an option beside it'],
  [{ limits: { timeoutMs: 0 } }, 'Invalid `limits.timeoutMs`: "0"; expected a number above 0'],
  [{ limits: { maxTools: '5' } }, 'Invalid `limits.maxTools`: "5"; expected a number above 0'],
  [{ limits: { maxErrorLength: NaN } }, 'Invalid `limits.maxErrorLength`: "NaN"'],
  [{ limits: 5 }, '`limits` must be an object'],
  [{ select: { tag: ['pets'] } }, '`select` cannot have "tag"; did you mean "tags"?'],
  [{ select: { operationIds: [] } }, '`select` cannot have "operationIds"'],
  [{ operations: { 'pets/list': { fix: {} } } }, '`operations["pets/list"]` cannot have "fix"; did you mean'],
  [{ operations: { 'pets/list': { hide: [] } } }, 'cannot have "hide"; expected name, title, description'],
  [{ operations: [] }, '`operations` must be an object'],
])('the unknown option %j is refused', (options, message) => {
  expect(() => namesOf({ ids: ['pets/list'] }, options as Partial<OpenApiOptions>)).toThrow(message);
});

test('options that are undefined are as if they were not given', () => {
  const limits = { timeoutMs: undefined } as never;
  const operations = { 'pets/list': undefined } as never;
  expect(namesOf({ ids: ['pets/list'] }, { limits, operations, fetch: undefined as never })).toEqual([
    'pets_list',
  ]);
  expect(() => openApiTools(document, undefined as never)).toThrow('The options must be an object');
});

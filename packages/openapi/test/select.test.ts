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

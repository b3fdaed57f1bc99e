import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { openApiTools, type Operation } from '../src/index.ts';
import { call, json, StubApi } from './stub-api.ts';

const require = createRequire(import.meta.url);
const load = (path: string): unknown => require(path);
const readme = load('@readme/oas-examples/3.1/json/readme.json');
const trains = load('@readme/oas-examples/3.1/json/train-travel.json');
const starTrek = load('@readme/oas-examples/3.0/json/star-trek.json');
const galaxy = load('@scalar/galaxy/3.1.json');

test('ReadMe (3.1): a chosen operation of 54 has short arguments, and sends them', async () => {
  await using api = await StubApi.start(json({ data: [], total: 0 }));
  const tools = openApiTools(readme, {
    baseUrl: `${api.origin}/v2`,
    select: { ids: ['getChangelogs'] },
    operations: { getChangelogs: { name: 'list_changelogs', omit: ['visibility'] } },
    headers: { authorization: 'Bearer rdme_secret' },
  });
  expect(tools.map(({ name }) => name)).toEqual(['list_changelogs']);
  expect(Object.keys(tools[0]!.inputJson['properties'] as object)).toEqual(['page', 'per_page']);
  await call(tools, 'list_changelogs', { page: 2, per_page: 5 });
  expect(api.last).toMatchObject({ method: 'GET', target: '/v2/changelogs?page=2&per_page=5' });
  expect(api.last.headers.authorization).toBe('Bearer rdme_secret');
});

test('Train Travel (3.1): a booking is posted as JSON, and its result is structured', async () => {
  const booking = { id: '1725ff48-ab45-4bb5-9d02-88745177dedb', passenger_name: 'Ada', has_bicycle: true };
  await using api = await StubApi.start(json(booking, 201));
  const tools = openApiTools(trains, { baseUrl: api.origin, select: { tags: ['Bookings'] } });
  expect(tools.map(({ name }) => name)).toEqual([
    'get-bookings',
    'create-booking',
    'get-booking',
    'delete-booking',
  ]);
  const create = tools.find(({ name }) => name === 'create-booking')!;
  expect(create.inputJson['properties']).toMatchObject({ passenger_name: { type: 'string' } });
  // `id` is marked `readOnly`: the API chooses it.
  expect(create.inputJson['properties']).not.toHaveProperty('id');
  expect(create.definition.annotations).toEqual({
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
  });
  const outcome = await call(tools, 'create-booking', { passenger_name: 'Ada', has_bicycle: true });
  expect(outcome).toEqual({ text: JSON.stringify(booking), structured: booking });
  expect(api.last).toMatchObject({ method: 'POST', target: '/bookings' });
  expect(JSON.parse(api.last.body)).toEqual({ passenger_name: 'Ada', has_bicycle: true });
});

test('Star Trek (3.0): a form is posted, with the query beside it', async () => {
  const answer = {
    page: { pageNumber: 1 },
    sort: { clauses: [] },
    animals: [{ uid: 'ANMA1', name: 'Targ' }],
  };
  await using api = await StubApi.start(json(answer));
  const tools = openApiTools(starTrek, {
    baseUrl: `${api.origin}/api/v1/rest`,
    select: { ids: ['POST /animal/search'] },
    operations: { 'POST /animal/search': { name: 'search_animals', omit: ['apiKey'] } },
    query: { apiKey: 'key of the author' },
  });
  const [tool] = tools;
  expect(Object.keys(tool!.inputJson['properties'] as object)).toEqual(
    expect.arrayContaining(['pageNumber', 'pageSize', 'name', 'earthAnimal']),
  );
  const outcome = await call(tools, 'search_animals', {
    pageSize: 3,
    name: 'Targ & Sehlat',
    earthAnimal: false,
  });
  expect(outcome.structured).toEqual(answer);
  expect(api.last.target).toBe('/api/v1/rest/animal/search?pageSize=3&apiKey=key%20of%20the%20author');
  expect(api.last.headers['content-type']).toBe('application/x-www-form-urlencoded');
  expect(Object.fromEntries(new URLSearchParams(api.last.body))).toEqual({
    name: 'Targ & Sehlat',
    earthAnimal: 'false',
  });
});

test('Scalar Galaxy (3.1): operations of a tag, less those that write', async () => {
  const planet = { id: 1, name: 'Mars', type: 'terrestrial' };
  await using api = await StubApi.start(json(planet));
  const tools = openApiTools(galaxy, {
    baseUrl: api.origin,
    select: { tags: ['Planets'], where: ({ method }) => method === 'GET' },
  });
  expect(tools.map(({ name }) => name)).toEqual(['getAllData', 'getPlanet']);
  expect(await call(tools, 'getPlanet', { planetId: 1 })).toEqual({
    text: JSON.stringify(planet),
    structured: planet,
  });
  expect(api.last).toMatchObject({ method: 'GET', target: '/planets/1' });
});

type Paths = { readonly [path: string]: { readonly [method: string]: { readonly requestBody?: object } } };

function takesFiles(document: unknown, { path, method }: Operation): boolean {
  const { paths } = document as { paths: Paths };
  const { requestBody } = paths[path]![method.toLowerCase()]!;
  return JSON.stringify(requestBody ?? {}).includes('"multipart/form-data"');
}

test.each([
  ['ReadMe', readme, 50, ['createAPI', 'updateAPI', 'uploadImage', 'validateAPI']],
  ['Train Travel', trains, 7, []],
  ['Star Trek', starTrek, 120, []],
  ['Galaxy', galaxy, 9, ['uploadImage']],
])(
  'every operation of %s becomes a tool that other validators take, unless it takes files',
  (_, document, count, files) => {
    const refused: string[] = [];
    const where = (operation: Operation) => {
      const takes = takesFiles(document, operation);
      if (takes) refused.push(operation.id);
      return !takes;
    };
    const tools = openApiTools(document, {
      baseUrl: 'http://x',
      select: { where },
      limits: { maxTools: 200 },
    });
    expect(tools).toHaveLength(count);
    expect(refused).toEqual(files);
    for (const id of refused) {
      expect(() => openApiTools(document, { baseUrl: 'http://x', select: { ids: [id] } })).toThrow(
        'none of these media types can be sent: "multipart/form-data"',
      );
    }
    // As the clients of the official SDK compile them: with draft-07.
    const validator = new Ajv({ strict: false, validateFormats: false });
    for (const { inputJson, outputJson = {} } of tools) {
      for (const schema of [inputJson, outputJson]) validator.compile(schema);
    }
  },
);

import { answerSchema, composeAnswer, placesSchema, subjectOf, valueSchemas } from '@mcp/weather-data';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import type { WeatherContext } from '../../../src/context.ts';
import { weather } from '../../../src/server.ts';
import { raw } from '../../upstream.ts';
import { Workspace } from '../../workspace.ts';

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictTypes: false, strictRequired: false });

test('the schema of an answer of its own accepts fresh and stale answers in every unit, and no unknown member', async () => {
  await using workspace = await Workspace.create();
  const server = weather(workspace.options());
  const { weather: service } = await (server.context as () => Promise<WeatherContext>)();
  const place = await service.findOnly('52.52,13.41');
  const answerWith = async (core: object) => {
    const fetched = await service.current(place);
    return composeAnswer(fetched, subjectOf(fetched, place), service.clock.now(), 'text', { ...core }).facts;
  };
  const core = { 'date?': { type: 'string' }, ...valueSchemas('low', 'temperature') };
  const isValid = ajv.compile(answerSchema(core));
  for (const accepted of [{ lowC: 5.1 }, { lowF: null }, { lowK: 278.25, date: '2026-11-20' }, {}])
    expect(isValid(await answerWith(accepted)), JSON.stringify(isValid.errors)).toBe(true);
  for (const refused of [{ low: 5.1 }, { lowC: '5.1' }, { date: null }])
    expect(isValid(await answerWith(refused))).toBe(false);

  workspace.clock.time += 3_600_000;
  workspace.upstream.always = raw('x', {}, 500);
  const stale = await answerWith({ lowC: 5.1 });
  expect(stale).toMatchObject({ stale: true, problem: { error: 'upstream_error' } });
  expect(isValid(stale), JSON.stringify(isValid.errors)).toBe(true);

  const areValid = ajv.compile(placesSchema(core));
  const failure = { error: 'no_data', message: 'No data' };
  expect(areValid(stale), JSON.stringify(areValid.errors)).toBe(true);
  expect(areValid({ places: [stale, failure], leftOut: ['Paris'] })).toBe(true);
  expect(areValid({ places: [{ ...stale, more: 1 }] })).toBe(false);
  service.close();
});

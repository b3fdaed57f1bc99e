import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { raw } from './upstream.ts';
import { callTool, Workspace, type WorkspaceOptions } from './workspace.ts';

const day = { start: '2026-11-10', end: '2026-11-13' };
const hours = { hours: 'T08/T10', days: 2 };
const measures = ['temperature', 'weatherCode', 'windDirection', 'humidity'];

type Case = readonly [tool: string, args: { readonly [name: string]: unknown }];

const inDemo: readonly Case[] = [
  ['search_place', { name: 'Berlin' }],
  ['search_place', { name: 'Nowhere' }],
  ['current', { place: 'berlin' }],
  ['current', { place: 'springfield', units: 'imperial' }],
  ['current', { place: ['berlin', 'nowhere', 'mcmurdo'], units: 'si' }],
  ['forecast', { place: 'berlin' }],
  ['forecast', { place: 'mcmurdo', models: true, astronomy: true, units: 'imperial' }],
  ['forecast', { place: 'springfield', hourly: true, models: true, astronomy: true }],
  ['forecast', { place: ['berlin', 'paris', 'tokyo', 'cairo', 'lima'], hourly: true, units: 'si' }],
  ['forecast', { place: ['paris', 'tokyo', 'cairo', 'sydney', 'london', 'beijing'], hourly: true }],
  ['forecast', { place: 'sydney', ...hours, measures: [...measures, 'waveHeight'] }],
  ['forecast', { place: 'berlin', ...hours, chart: 'dark' }],
  ['history', { place: 'berlin', ...day }],
  ['history', { place: 'paris', start: '2025-11-20', end: '2026-11-19', units: 'imperial' }],
  ['history', { place: 'paris', start: '2025-11-20', end: '2026-11-19', count: 'temperatureMax>8' }],
  ['alerts', { place: 'berlin' }],
  ['alerts', { place: 'springfield' }],
  ['get_alerts', { state: 'IL' }],
  ['air_quality', { place: ['berlin', 'cairo', 'kathmandu'] }],
  ['get_forecast', { city: 'Berlin', days: 1 }],
];

const online: readonly Case[] = [
  ['search_place', { name: 'Springfield' }],
  ['current', { place: '52.52,13.41' }],
  ['forecast', { place: ['52.52,13.41', 'Zürich'], hourly: true, units: 'imperial' }],
  ['forecast', { place: '38.72,-9.14', ...hours, measures: ['waveHeight', 'temperature'] }],
  ['history', { place: '52.52,13.41', ...day }],
  ['history', { place: '52.52,13.41', ...day, summary: true, units: 'si' }],
  ['alerts', { place: 'Zürich' }],
  ['get_alerts', { state: 'TX' }],
  ['air_quality', { place: '52.52,13.41' }],
];

test.each<[string, WorkspaceOptions, readonly Case[]]>([
  ['the demo', { demo: true }, inDemo],
  ['Open-Meteo', {}, online],
  [
    'NWS',
    { provider: 'nws' },
    [
      ['current', { place: '39.8017,-89.6437', units: 'si' }],
      ['forecast', { place: '39.8017,-89.6437', hourly: true }],
    ],
  ],
])('with --structured, every answer from %s matches the published schema', async (_, options, cases) => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect({ ...options, structured: true });
  await using plain = await workspace.connect(options);
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictTypes: false, strictRequired: false });
  const validators = new Map(
    (await client.listTools()).flatMap(({ name, outputSchema }) =>
      outputSchema ? [[name, ajv.compile(outputSchema)] as const] : [],
    ),
  );
  for (const [tool, args] of cases) {
    const called = `${tool} ${JSON.stringify(args)}`;
    const { content, structuredContent, isError } = await client.callTool(tool, args);
    expect(isError ?? false, called).toBe(false);
    const isValid = validators.get(tool)!;
    isValid(structuredContent);
    expect(isValid.errors ?? [], `The outputSchema of ${tool} refuses the facts of ${called}`).toEqual([]);
    expect(
      isValid({ ...(structuredContent as object), unknown: 1 }),
      `The outputSchema of ${tool} accepts a fact that it does not name. Name all of them: answerSchema of @mcp/weather-data does`,
    ).toBe(false);
    const without = await plain.callTool(tool, args);
    expect(without.structuredContent, called).toBeUndefined();
    expect(without.content, called).toEqual(content);
    if ('chart' in args) continue;
    const json = await plain.callTool(tool, {
      ...args,
      ...(tool === 'get_forecast' ? {} : { format: 'json' }),
    });
    if (tool !== 'get_forecast') expect(json.structuredContent, called).toEqual(structuredContent);
  }
});

test('with --structured, every tool that only reads has an output schema and a case in `inDemo`', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect({ demo: true, structured: true });
  const tools = await client.listTools();
  const reading = tools.filter(({ annotations }) => annotations?.readOnlyHint).map(({ name }) => name);
  const withSchema = tools.filter(({ outputSchema }) => outputSchema).map(({ name }) => name);
  const called = [...new Set(inDemo.map(([tool]) => tool))];
  expect(withSchema, 'A tool that only reads needs an outputSchema').toEqual(reading);
  expect(called.toSorted(), 'A tool that only reads needs a call in `inDemo`').toEqual(reading.toSorted());
});

test('with --structured, an alert of MeteoAlarm and an old answer match the schema, and a failure is text', async () => {
  await using workspace = await Workspace.create();
  await using client = await workspace.connect({ structured: true });
  const info = { event: 'Wind', language: 'de-CH', severity: 'Severe', area: [{ areaDesc: 'Zürich' }] };
  workspace.upstream.documents.set('/api/v1/warnings/', { warnings: [{ alert: { info: [info] } }] });
  const ajv = new Ajv2020({ strict: false });
  const isValid = ajv.compile(
    (await client.listTools()).find(({ name }) => name === 'alerts')!.outputSchema as object,
  );
  const first = await client.callTool('alerts', { place: 'Zürich' });
  expect(isValid(first.structuredContent), JSON.stringify(isValid.errors)).toBe(true);
  workspace.clock.time += 3_600_000;
  workspace.upstream.always = raw('x', {}, 500);
  const old = await client.callTool('alerts', { place: 'Zürich' });
  expect(isValid(old.structuredContent), JSON.stringify(isValid.errors)).toBe(true);
  expect(old.structuredContent).toMatchObject({ stale: true, alerts: [{ reach: 'area name' }] });
  const failed = await callTool(client, 'alerts', { place: 'nowhere,at all' });
  expect(failed.isError).toBe(true);
});

import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { conversation, explainsItself, responses } from '@mcp/test-kit';
import { expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { program, run } from './program.ts';

test('--demo answers offline over pipes, writes only messages to stdout, and exits with 0 after its input', async () => {
  const { stdout, stderr, code } = await run(['--demo'], {
    input: conversation(
      'not a message',
      ['tools/call', { name: 'current', arguments: { place: 'Berlin' } }],
      ['tools/call', { name: 'current', arguments: { place: 'Berlin', format: 'json' } }],
    ),
  });
  const { count, get } = responses(stdout);
  expect(count).toBe(4);
  expect(get(1).result).toMatchObject({ instructions: expect.stringContaining('SAMPLE DATA ONLY') });
  expect(get(undefined).error).toMatchObject({ code: -32700 });
  expect(get(2).result).toMatchObject({
    content: [{ text: expect.stringContaining('SAMPLE: made-up data') }],
  });
  expect(get(3).result).toMatchObject({
    // The value depends on the hour of the day.
    structuredContent: { sample: true, current: { temperatureC: expect.any(Number) } },
  });
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
});

test('files are kept in the XDG directories, or in the directory of --data', async () => {
  const home = await mkdtemp(join(tmpdir(), 'weather-home-'));
  const [name = ''] = Object.keys(manifest.bin);
  const input = conversation([
    'tools/call',
    { name: 'save_place', arguments: { name: 'home', place: '52.52,13.41' } },
  ]);
  const { XDG_DATA_HOME: _data, XDG_CACHE_HOME: _cache, ...rest } = process.env as Record<string, string>;
  const env = { ...rest, HOME: home };
  await run([], { input, env });
  expect(existsSync(join(home, '.local/share', name, 'places.json'))).toBe(true);
  await run([], { input, env: { ...env, XDG_DATA_HOME: join(home, 'data') } });
  expect(existsSync(join(home, 'data', name, 'places.json'))).toBe(true);
  await run(['--data', join(home, 'own')], { input, env });
  expect(existsSync(join(home, 'own/places.json'))).toBe(true);
  await rm(home, { recursive: true });
});

test('--help and --version print to stdout and exit with 0', () =>
  explainsItself(program, ['--provider', '--demo', '--data', '--units', '--base-url', '--http']));

test('a wrong argument is reported on stderr with exit code 2', async () => {
  const refused = async (...args: string[]) => {
    const { stdout, stderr, code } = await run(args);
    expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
    return stderr.split('\n')[0]?.replace(/^[\w-]+: /, '');
  };
  expect(await refused('--provider', 'accuweather')).toBe(
    'Invalid --provider: "accuweather"; expected open-meteo, nws, dataset',
  );
  expect(await refused('--units', 'kelvin')).toBe('Invalid --units: "kelvin"; expected metric, imperial, si');
  expect(await refused('--base-url', 'ftp://example.com')).toBe(
    'Invalid --base-url: "ftp://example.com"; expected an http or https URL',
  );
  expect(await refused('--demo', '--provider', 'nws')).toBe(
    '--demo and --provider were both given; leave out one of them',
  );
  expect(await refused('Berlin')).toBe('Unexpected argument: "Berlin"');
  expect(await refused('--wrong')).toContain('Unknown option: "--wrong"');
});

import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from './program.ts';

const request = (id: number, method: string, params: object) =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;

const initialize = request(1, 'initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1.0.0' },
});

test('--demo answers offline over pipes, puts nothing else on stdout, and ends well with its input', async () => {
  const { stdout, stderr, code } = await run(['--demo'], {
    input:
      initialize +
      '{"jsonrpc":"2.0","method":"notifications/initialized"}\n' +
      'not a message\n' +
      request(2, 'tools/call', { name: 'current', arguments: { place: 'Berlin' } }),
  });
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines).toHaveLength(3);
  const [first] = lines;
  expect(first.result.instructions).toContain('SAMPLE DATA ONLY');
  expect(lines.find(({ id }) => id === undefined).error.code).toBe(-32700);
  const answer = lines.find(({ id }) => id === 2).result;
  expect(answer.content[0].text).toContain('SAMPLE: these are made-up data');
  expect(answer.structuredContent).toMatchObject({ sample: true, current: { temperatureC: 5.7 } });
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
});

test('keeps its files in the XDG directories, or where --data says', async () => {
  const home = await mkdtemp(join(tmpdir(), 'weather-home-'));
  const input = `${initialize}{"jsonrpc":"2.0","method":"notifications/initialized"}\n${request(
    2,
    'tools/call',
    {
      name: 'save_place',
      arguments: { name: 'home', place: '52.52,13.41' },
    },
  )}`;
  const path = process.env['PATH'] ?? '';
  await run([], { input, env: { PATH: path, HOME: home } });
  expect(existsSync(join(home, '.local/share/mcp-server-weather/places.json'))).toBe(true);
  await run([], { input, env: { PATH: path, HOME: home, XDG_DATA_HOME: join(home, 'data') } });
  expect(existsSync(join(home, 'data/mcp-server-weather/places.json'))).toBe(true);
  await run(['--data', join(home, 'own')], { input, env: { PATH: path, HOME: home } });
  expect(existsSync(join(home, 'own/places.json'))).toBe(true);
  await rm(home, { recursive: true });
});

test('explains itself', async () => {
  const help = await run(['--help']);
  expect(help).toMatchObject({ stderr: '', code: 0 });
  for (const option of ['--provider', '--demo', '--data', '--units', '--base-url', '--http']) {
    expect(help.stdout).toContain(option);
  }
  expect(await run(['--version'])).toEqual({
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    stderr: '',
    code: 0,
  });
});

test('says on stderr what is wrong with its arguments, and exits with 2', async () => {
  const refused = async (...args: string[]) => {
    const { stdout, stderr, code } = await run(args);
    expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
    return stderr.split('\n')[0]?.replace(/^[\w-]+: /, '');
  };
  expect(await refused('--provider', 'accuweather')).toBe(
    '--provider takes open-meteo, nws, dataset, and not "accuweather"',
  );
  expect(await refused('--units', 'kelvin')).toBe('--units takes metric, imperial, si, and not "kelvin"');
  expect(await refused('--base-url', 'ftp://example.com')).toBe(
    '--base-url takes an http or https address, and not "ftp://example.com"',
  );
  expect(await refused('--demo', '--provider', 'nws')).toBe('Give --demo or --provider, not both');
  expect(await refused('Berlin')).toBe('There is nothing to do with "Berlin"');
  expect(await refused('--wrong')).toContain("Unknown option '--wrong'");
});

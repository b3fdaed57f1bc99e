import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';

const run = promisify(execFile);
// The directory is inside the package, so that the example can import the package by its name.
const directory = mkdtempSync(join(import.meta.dirname, 'example-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');

/** Compiles a program that uses the package by name, and returns what it prints. */
async function printed(example: string): Promise<string> {
  writeFileSync(join(directory, 'example.ts'), example);
  writeFileSync(
    join(directory, 'tsconfig.json'),
    JSON.stringify({ extends: '../../tsconfig.json', include: ['.'], exclude: [] }),
  );
  await run(join(import.meta.dirname, '../../../node_modules/.bin/tsc'), ['--project', directory]);
  const { stdout } = await run(process.execPath, ['--conditions=@mcp/source', 'example.ts'], {
    cwd: directory,
  });
  return stdout;
}

const [example = '', ownAnswer = ''] = Array.from(
  readme.matchAll(/```ts\n([\s\S]*?)```/g),
  ([, code]) => code,
);

test('the example of the README compiles, and prints what it says', async () => {
  const stdout = await printed(example);
  const [forecast = '', ...lines] = stdout.trimEnd().split('\n');
  expect(readme).toContain(`It prints \`${forecast}\``);
  // The current weather of the sample depends on the hour.
  expect(lines.join('\n')).toMatch(/temperature \d+(\.\d)? °F/);
  expect(readme).toContain(`\`${lines.at(-1)}\``);
});

test('the answer of its own in the README has the text and the facts that it says', async () => {
  const stdout = await printed(`${ownAnswer}
    import { WeatherService as Service } from '@mcp/weather-data';
    const directories = { data: 'weather', cache: 'weather/cache' };
    const weather = new Service({ provider: 'open-meteo', demo: true, directories, userAgent: 'example' });
    const answer = await coldestNight(weather, await weather.findOnly('Kathmandu'), 'imperial');
    console.log(JSON.stringify({ ...answer, schema: coldestNightSchema }));
    weather.close();`);
  const { text, facts, core, schema } = JSON.parse(stdout) as Printed;
  const lines = text.split('\n');
  expect(lines[0]).toContain('Kathmandu');
  expect(readme).toContain(`\`${lines[1]}\``);
  expect(lines.join('\n')).toContain('SAMPLE: made-up data');
  const [[name, value]] = Object.entries(core) as [[string, number]];
  expect(readme).toContain(`\`{ ${name}: ${value} }\``);
  expect(facts).toMatchObject({ ...core, sample: true, stale: false });
  const published = Object.keys(schema.properties);
  expect(published).toEqual(expect.arrayContaining(Object.keys(facts)));
  expect(Object.keys(facts)).toEqual(expect.arrayContaining(schema.required));
  // The README names every fact that the schema has.
  const [, section = ''] = /\n## An answer of your own\n([\s\S]*?)\n## /.exec(readme) ?? [];
  for (const member of published) expect(section).toContain(`\`${member}\``);
});

interface Printed {
  readonly text: string;
  readonly facts: object;
  readonly core: object;
  readonly schema: { readonly properties: object; readonly required: string[] };
}

test('the README names every kind of error', () => {
  const source = readFileSync(join(import.meta.dirname, '../src/errors.ts'), 'utf8');
  const [, union = ''] = /type WeatherErrorKind =([^;]+);/.exec(source) ?? [];
  const [, section = ''] = /\n## Errors\n([\s\S]*?)\n## /.exec(readme) ?? [];
  const names = (text: string, pattern: RegExp) => Array.from(text.matchAll(pattern), ([, name]) => name);
  const known = new Set(names(union, /'(\w+)'/g));
  expect(known.size).toBeGreaterThan(10);
  expect(new Set(names(section, /`([a-z]+_\w+|refused|unreachable)`/g))).toEqual(known);
});

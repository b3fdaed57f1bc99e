import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { versions } from '../docs/site-versions.ts';
import { manifestOf, registryEntry, servers } from '../release/version/registry-entry.ts';
import { repository } from './server-program.ts';

const argument = {
  description: z.string(),
  format: z.enum(['string', 'number', 'boolean', 'filepath']),
  isRequired: z.boolean(),
  isRepeated: z.boolean(),
};

/** What the registry's schema of 2025-12-11 allows, of the keys that the entries have. */
const schema = z.strictObject({
  $schema: z.literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  // A range is refused.
  version: z
    .string()
    .max(255)
    .regex(/^\d+\.\d+\.\d+$/),
  websiteUrl: z.url(),
  repository: z.strictObject({ url: z.url(), source: z.literal('github'), subfolder: z.string() }),
  packages: z.tuple([
    z.strictObject({
      registryType: z.literal('npm'),
      identifier: z.string(),
      version: z.string(),
      runtimeHint: z.literal('npx'),
      transport: z.strictObject({ type: z.literal('stdio') }),
      packageArguments: z.array(
        z.discriminatedUnion('type', [
          z.strictObject({ type: z.literal('named'), name: z.string().startsWith('--'), ...argument }),
          z.strictObject({ type: z.literal('positional'), valueHint: z.string(), ...argument }),
        ]),
      ),
    }),
  ]),
});

describe.each(servers)('the registry entry of $name', (server) => {
  const entry = JSON.parse(
    readFileSync(join(repository, 'servers', server.name, 'server.json'), 'utf8'),
  ) as Record<string, unknown>;
  const { name, mcpName, version } = manifestOf(server);

  test('the file is what release/version/registry-entry.ts writes, with the version of the package', () => {
    expect(entry).toEqual(registryEntry(server));
    expect(entry).toMatchObject({ name: mcpName, version, packages: [{ identifier: name, version }] });
  });

  test('the entry has the keys, values and lengths that the schema of the registry allows', () => {
    expect(schema.parse(entry)).toEqual(entry);
  });

  test('the README uses the options of the entry', () => {
    const [{ packageArguments }] = schema.parse(entry).packages;
    const options = packageArguments.flatMap((each) => (each.type === 'named' ? [each.name] : []));
    const readme = readFileSync(join(repository, 'servers', server.name, 'README.md'), 'utf8');
    for (const option of options) expect(readme).toContain(`"${option}"`);
  });
});

test('the newest version of the site is that of the packages', () => {
  expect(versions[0]).toEqual({ version: manifestOf(servers[0]!).version, folder: '' });
});

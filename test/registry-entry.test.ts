import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { manifestOf, registryEntry, servers } from '../release/registry-entry.ts';
import { repository } from './server-program.ts';

describe.each(servers)('the registry entry of $name', (server) => {
  const entry = JSON.parse(
    readFileSync(join(repository, 'servers', server.name, 'server.json'), 'utf8'),
  ) as Record<string, unknown>;
  const { name, mcpName, version } = manifestOf(server);

  test('the file is what release/registry-entry.ts writes, with the version of the package', () => {
    expect(entry).toEqual(registryEntry(server));
    expect(entry).toMatchObject({ name: mcpName, version, packages: [{ identifier: name, version }] });
  });

  test('the entry keeps the limits of the registry', () => {
    expect(mcpName).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
    expect(String(entry['description']).length).toBeLessThanOrEqual(100);
  });
});

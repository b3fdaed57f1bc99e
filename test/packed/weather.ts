import { cp, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { repository } from '../server-program.ts';
import type { PackedServer } from './packed-server.ts';

const sample = join(repository, 'packages/weather-data/src/providers/dataset/sample');

export const weather: PackedServer = {
  name: 'weather',

  async prepare(directory) {
    for (const product of ['current', 'forecast', 'place'])
      await cp(join(sample, `berlin-${product}.json`), join(directory, 'dataset/berlin', `${product}.json`));
    return ['--provider', 'dataset', '--data', directory];
  },

  async use(client, directory) {
    const saved = await client.callTool('save_place', { name: 'home', place: 'Berlin' });
    expect(saved.isError).toBeUndefined();
    const now = await client.callTool('current', { place: 'home', format: 'json' });
    expect(now.structuredContent).toMatchObject({
      current: { time: '2026-11-20T14:45+01:00', temperatureC: 5.7 },
      place: { saved: 'home', name: 'Berlin' },
    });

    const heard = Promise.withResolvers<void>();
    await client.subscribe('weather://home/current', heard.resolve);
    const file = join(directory, 'dataset/berlin/current.json');
    await writeFile(`${file}.new`, JSON.stringify({ current: { time: 1_795_182_300, temperature_2m: 9 } }));
    await rename(`${file}.new`, file);
    await heard.promise;
  },
};

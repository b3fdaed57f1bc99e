import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { run } from '@mcp/protocol/command-line';
import manifest from '../package.json' with { type: 'json' };
import { choose } from './input/command-line.ts';
import { weather } from './server.ts';

run({
  manifest,
  usage: '',
  options: {
    provider: {
      value: 'name',
      help: 'open-meteo (everywhere, the default), nws (United States) or dataset (offline)',
    },
    demo: { help: 'answer from a small made-up sample that comes with the program' },
    data: { value: 'directory', help: 'where places.json, dataset/ and cache/ are' },
    units: { value: 'system', help: 'metric (the default), imperial or si, where a call does not say' },
    'base-url': {
      value: '[name=]url',
      help: 'ask there instead: a mirror of the provider, or of open-meteo or nws by name',
    },
    'user-agent': { value: 'text', help: 'who asks; NWS wants an address to write to' },
  },
  server({ positionals, flag, values, warn }) {
    if (positionals.length > 0) throw new Error(`There is nothing to do with "${positionals[0]}"`);
    const { XDG_DATA_HOME, XDG_CACHE_HOME, OPEN_METEO_API_KEY } = process.env;
    const [data] = values('data');
    const name = 'mcp-server-weather';
    return weather({
      ...choose({ flag, values, version: manifest.version }),
      directories:
        data === undefined
          ? {
              data: join(XDG_DATA_HOME || join(homedir(), '.local/share'), name),
              cache: join(XDG_CACHE_HOME || join(homedir(), '.cache'), name),
            }
          : { data: resolve(data), cache: join(resolve(data), 'cache') },
      ...(OPEN_METEO_API_KEY && { apiKey: OPEN_METEO_API_KEY }),
      warn,
    });
  },
});

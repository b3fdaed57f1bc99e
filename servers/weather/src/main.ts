import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { login } from '@mcp/login/command-line';
import { runProgram } from '@mcp/protocol/command-line';
import manifest from '../package.json' with { type: 'json' };
import { parseOptions } from './input/command-line.ts';
import { weather } from './server.ts';

runProgram({
  manifest,
  usage: '',
  authorization: login,
  options: {
    provider: {
      value: 'name',
      help: 'open-meteo (worldwide, the default), nws (United States) or dataset (offline)',
    },
    demo: { help: 'answer from a small made-up sample, without a network' },
    data: { value: 'directory', help: 'directory of places.json, dataset/ and cache/' },
    units: { value: 'system', help: 'default units: metric (the default), imperial or si' },
    'base-url': {
      value: '[name=]url',
      help: 'base URL of a mirror of the provider or, with its name, of open-meteo, nws or meteoalarm',
    },
    structured: { help: 'answer with structured content, too, and list its schemas' },
    'user-agent': { value: 'text', help: 'User-Agent header; NWS wants a contact address in it' },
  },
  server({ positionals, flag, values, warn }) {
    if (positionals.length > 0) throw new Error(`Unexpected argument: "${positionals[0]}"`);
    const { XDG_DATA_HOME, XDG_CACHE_HOME, OPEN_METEO_API_KEY } = process.env;
    const [data] = values('data');
    // The directories have the name of this program, so that a copy of the package with another name uses
    // other directories.
    const [name] = Object.keys(manifest.bin) as [string];
    return weather({
      ...parseOptions({ flag, values, program: `${manifest.name}/${manifest.version}` }),
      directories:
        data === undefined
          ? {
              data: join(XDG_DATA_HOME || join(homedir(), '.local/share'), name),
              cache: join(XDG_CACHE_HOME || join(homedir(), '.cache'), name),
            }
          : { data: resolve(data), cache: join(resolve(data), 'cache') },
      ...(OPEN_METEO_API_KEY && { apiKey: OPEN_METEO_API_KEY }),
      structured: flag('structured'),
      warn,
    });
  },
});

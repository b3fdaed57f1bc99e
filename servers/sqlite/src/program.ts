import type { Program } from '@mcp/protocol/command-line';
import manifest from '../package.json' with { type: 'json' };
import { Refused } from './backend/errors.ts';
import { copyOfSample } from './backend/sample.ts';
import { sqlite } from './server.ts';

/** What the command line takes. */
export const program: Program = {
  manifest,
  usage: '[database.db…]',
  options: {
    'allow-write': { help: 'publish the tool write; without it nothing in a database can change' },
    export: { value: 'directory', help: 'publish the tool export, which puts new files there' },
    timeout: { value: 'ms', help: 'what a query may take that does not say, 30000 unless told otherwise' },
    'max-rows': { value: 'n', help: 'rows of one answer at most, 10000 unless told otherwise' },
    'max-bytes': {
      value: 'n',
      help: 'bytes of the rows of one answer at most, 1048576 unless told otherwise',
    },
    'max-memory': { value: 'MB', help: 'memory that a query may take, 512 unless told otherwise' },
  },
  server({ positionals, flag, values, warn }) {
    const number = (name: string, least = 1) => numberOf(name, values(name).at(-1), least);
    const memory = number('max-memory', 128);
    const sample = positionals.length === 0 ? copyOfSample() : undefined;
    if (sample) process.once('exit', sample.remove);
    const server = sqlite({
      paths: sample ? [sample.path] : positionals,
      allowWrite: flag('allow-write'),
      exportDirectory: values('export').at(-1),
      timeoutMs: number('timeout'),
      maxRows: number('max-rows'),
      maxBytes: number('max-bytes', 1_024),
      maxMemory: memory === undefined ? undefined : memory * 1024 * 1024,
      warn,
    });
    return server;
  },
};

function numberOf(name: string, value: string | undefined, least: number): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (/^\d{1,12}$/.test(value) && number >= least) return number;
  throw new Refused(`--${name} takes a number from ${least}, and not "${value}"`);
}

import { login } from '@mcp/login/command-line';
import type { Program } from '@mcp/protocol/command-line';
import { Refused } from '@mcp/sqlite-pool';
import manifest from '../package.json' with { type: 'json' };
import { samplePath } from './sample.ts';
import { sqlite } from './server.ts';

export const program: Program = {
  manifest,
  usage: '[database.db…], or: bundle <database.db…> --out <file.mcpb> [settings]',
  authorization: login,
  options: {
    'db-path': { value: 'file', help: 'a database, as for the archived official server' },
    'allow-write': { help: 'publish the tool write; without it no database can be changed' },
    create: { help: 'let write and import create a database that is missing, where a call says so' },
    import: {
      value: 'directory',
      help: 'let query read CSV and JSON files in this directory as tables, and with --allow-write publish the tool import',
    },
    extension: { value: 'file', help: 'load an SQLite extension, which is native code; repeatable' },
    queries: { value: 'file', help: 'publish the queries of this file as tools' },
    export: { value: 'directory', help: 'publish the tool `export`, which creates files in this directory' },
    structured: { help: 'answer with structured content too; the list of tools has its schemas' },
    timeout: { value: 'ms', help: 'timeout of a statement without timeout_ms; default 30000' },
    'max-rows': {
      value: 'n',
      help: 'the greatest limit that a call may give; default 10000; without limit, a call gets 100 rows',
    },
    'max-bytes': {
      value: 'n',
      help: 'bytes of rows per answer; default 1048576',
    },
    'max-memory': { value: 'MB', help: 'memory per query process; default 512' },
  },
  async server({ positionals, flag, values, warn }) {
    const number = (name: string, min = 1) => numberOf(name, values(name).at(-1), min);
    const memory = number('max-memory', 128);
    const paths = [...positionals, ...values('db-path')];
    const isSample = paths.length === 0;
    const writingOption = <Value>(name: string, value: Value): Value => {
      if (!value || flag('allow-write')) return value;
      throw new Refused(`--${name} needs --allow-write too`);
    };
    const queries = await queriesIn(values('queries').at(-1));
    const server = sqlite({
      paths: isSample ? [samplePath()] : paths,
      temporary: isSample,
      allowWrite: flag('allow-write'),
      allowCreate: writingOption('create', flag('create')),
      importDirectory: values('import').at(-1),
      extensions: values('extension'),
      queries,
      structured: flag('structured'),
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

/**
 * The queries of the file; undefined without a file. The modules that read queries are loaded only for a
 * file.
 */
async function queriesIn(file: string | undefined) {
  if (file === undefined) return undefined;
  const [{ readQueries }, { reservedNames }] = await Promise.all([
    import('@mcp/sqlite-pool'),
    import('./tools.ts'),
  ]);
  return readQueries(file, reservedNames);
}

function numberOf(name: string, value: string | undefined, min: number): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (/^\d{1,12}$/.test(value) && number >= min) return number;
  throw new Refused(`Invalid --${name}: "${value}"; expected an integer from ${min}`);
}

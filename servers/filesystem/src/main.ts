import { login } from '@mcp/login/command-line';
import { runProgram } from '@mcp/protocol/command-line';
import manifest from '../package.json' with { type: 'json' };
import { installedPackages, optionalNotes } from './optional/installed-packages.ts';
import { filesystem } from './server.ts';

runProgram({
  manifest,
  usage: '[directory…]',
  authorization: login,
  notes: optionalNotes,
  options: {
    'read-only': { help: 'publish no tool that changes anything' },
    keep: {
      value: 'directory',
      help: 'keep deleted and replaced content in this directory, for restore_file',
    },
    'keep-bytes': {
      value: 'bytes',
      help: 'how many bytes to keep; default 1 GiB; the oldest are deleted first',
    },
    'keep-days': { value: 'days', help: 'how many days to keep the content; default 7' },
    structured: { help: 'add structured content to answers that are lists, and its schemas to the tools' },
    numbered: { help: 'number the lines of every text that is read' },
  },
  server({ positionals, flag, values, warn }) {
    // Without allowed directories, any client over HTTP could name any directory as its root.
    if (positionals.length === 0 && values('http').length > 0)
      throw new Error('Missing directory; over HTTP, name at least one allowed directory');
    const optional = installedPackages(positionals, warn);
    const directory = values('keep').at(-1);
    const maxBytes = numberOf('keep-bytes', values('keep-bytes').at(-1));
    const maxDays = numberOf('keep-days', values('keep-days').at(-1));
    if (directory === undefined && (maxBytes ?? maxDays) !== undefined)
      throw new Error('--keep-bytes and --keep-days have no effect without --keep');
    const keep = directory === undefined ? undefined : { directory, maxBytes, maxDays };
    const readOnly = flag('read-only');
    const structured = flag('structured');
    const numbered = flag('numbered');
    return filesystem({ directories: positionals, readOnly, keep, structured, numbered, warn }, optional);
  },
});

function numberOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,14}$/.test(text))
    throw new Error(`Invalid --${name}: ${JSON.stringify(text)}; expected a whole number from 1 on`);
  return Number(text);
}

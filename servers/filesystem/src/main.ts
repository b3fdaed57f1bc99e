import { runProgram } from '@mcp/protocol/command-line';
import manifest from '../package.json' with { type: 'json' };
import { installedPackages, optionalNotes } from './optional/installed-packages.ts';
import { filesystem } from './server.ts';

runProgram({
  manifest,
  usage: '[directory…]',
  notes: optionalNotes,
  options: { 'read-only': { help: 'publish no tool that changes anything' } },
  server({ positionals, flag, values, warn }) {
    // Without allowed directories, any client over HTTP could name any directory as its root.
    if (positionals.length === 0 && values('http').length > 0)
      throw new Error('Missing directory; over HTTP, name at least one allowed directory');
    const optional = installedPackages(positionals, warn);
    return filesystem({ directories: positionals, readOnly: flag('read-only'), warn }, optional);
  },
});

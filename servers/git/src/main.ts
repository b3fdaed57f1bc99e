import { fstatSync } from 'node:fs';
import { login } from '@mcp/login/command-line';
import { runProgram } from '@mcp/protocol/command-line';
import manifest from '../package.json' with { type: 'json' };
import { git } from './server.ts';

/** The time after the first use of git at which `preferSmallHeap` runs: all code is loaded then. */
const afterLoadingMs = 50;

runProgram({
  manifest,
  usage: '[--repository <path>…]',
  authorization: login,
  options: {
    repository: {
      short: 'r',
      value: 'path',
      help: 'a repository, or a directory of repositories; defaults to the roots of the client; the option name may be omitted',
    },
    'read-only': { help: 'publish only tools that change nothing' },
    trust: { help: 'run the hooks, filters, signing and helpers that the repositories configure' },
    sign: { help: 'sign commits and annotated tags with the key of your git configuration' },
    history: { help: 'publish the tools for bisects, range-diffs, authors and submodules' },
    structured: { help: 'add structured content to answers, and its schemas to the tools' },
    'allow-remote': { help: 'publish the tools that fetch, pull, push and clone' },
  },
  server({ positionals, flag, values, warn, fail }) {
    const directories = [...values('repository'), ...positionals];
    const listens = values('http').length > 0;
    // Over HTTP, any client could name any directory of this machine as a root.
    if (directories.length === 0 && listens)
      throw new Error('Missing --repository <path>; over HTTP, name at least one repository');
    return git({
      directories,
      environment: process.env,
      readOnly: flag('read-only'),
      trust: flag('trust'),
      allowRemote: flag('allow-remote'),
      history: flag('history'),
      sign: flag('sign'),
      structured: flag('structured'),
      warn,
      // A person sees it: who listens over HTTP, or starts this in a terminal. A host speaks first.
      tryGit: listens || fstatSync(0).isCharacterDevice(),
      opened: () => void setTimeout(preferSmallHeap, afterLoadingMs).unref(),
      unusable: fail,
    });
  },
});

/** V8 would keep 128 MB of an answer's short-lived strings. V8 reads this flag also after the start. */
function preferSmallHeap(): void {
  process.getBuiltinModule('node:v8').setFlagsFromString('--optimize-for-size');
}

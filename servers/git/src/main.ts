import { run } from '@mcp/protocol/command-line';
import manifest from '../package.json' with { type: 'json' };
import { git } from './server.ts';

const afterTheHandshakeMs = 100;

run({
  manifest,
  usage: '--repository <path>…',
  options: {
    repository: {
      value: 'path',
      help: 'a repository, or a directory of repositories; may be given without the option too',
    },
    'read-only': { help: 'publish no tool that changes anything' },
    trust: { help: 'run the hooks, filters, signing and helpers that the repositories are set to' },
    'allow-remote': { help: 'publish the tools that fetch, pull, push and clone' },
  },
  server({ positionals, flag, values, warn, fail }) {
    const directories = [...values('repository'), ...positionals];
    if (directories.length === 0) throw new Error('Name at least one repository, with --repository <path>');
    setTimeout(keepMemorySmall, afterTheHandshakeMs).unref();
    return git({
      directories,
      environment: process.env,
      readOnly: flag('read-only'),
      trust: flag('trust'),
      allowRemote: flag('allow-remote'),
      warn,
      unusable: fail,
    });
  },
});

/**
 * Answers are made of many strings that nobody needs a checkDate later; V8 would let 128 MB of them pile up first. It
 * reads this flag each time it decides how far its heap may grow, so that it can be set now; where it did not, it
 * would do nothing.
 */
function keepMemorySmall(): void {
  process.getBuiltinModule('node:v8').setFlagsFromString('--optimize-for-size');
}

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { newest, report, runSuite } from './suite.ts';

// Runs the scenarios that need no fixture against the servers themselves, as they are published.
// Four checks of `server-stateless` look for tools of the fixture, and report that they cannot test
// a server without them.

const scenarios: readonly (readonly [version: string, names: readonly string[]])[] = [
  ['2025-03-26', ['server-session-lifecycle']],
  [
    '2025-06-18',
    ['server-initialize', 'server-session-lifecycle', 'ping', 'tools-list', 'resources-list', 'prompts-list'],
  ],
  [
    '2025-11-25',
    [
      'server-initialize',
      'server-session-lifecycle',
      'ping',
      'tools-list',
      'resources-list',
      'prompts-list',
      'dns-rebinding-protection',
    ],
  ],
  [
    '2026-07-28',
    [
      'server-stateless',
      'tools-list',
      'resources-list',
      'prompts-list',
      'caching',
      'http-header-validation',
      'sep-2164-resource-not-found',
      'dns-rebinding-protection',
    ],
  ],
];

const servers: readonly (readonly [name: string, args: readonly string[]])[] = [
  ['filesystem', [import.meta.dirname]],
  ['sqlite', []],
  ['git', ['--repository', fileURLToPath(new URL('..', import.meta.url))]],
  ['weather', ['--demo']],
  ['run', [fileURLToPath(new URL('commands.json', import.meta.url))]],
];

/** The servers that serve a skill with these arguments. Their skills have one file, and so no directories. */
const skilled = ['filesystem', 'git', 'weather'];

for (const [name, args] of servers) {
  const path = fileURLToPath(new URL(`../servers/${name}/dist/main.cjs`, import.meta.url));
  const server = spawn(process.execPath, [path, '--http', '0', ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const url = await new Promise<string>((resolve) => {
    createInterface(server.stderr).on('line', (line) => {
      const [, address] = /^Listening on (.+)$/.exec(line) ?? [];
      if (address !== undefined) resolve(address);
    });
  });
  for (const [version, names] of scenarios) {
    for (const scenario of names) {
      const outcome = await runSuite(newest, url, ['--scenario', scenario, '--spec-version', version]);
      report(`${name} ${version} ${scenario}`, { ...outcome, wrong: outcome.wrong - outcome.untestable });
    }
  }
  if (skilled.includes(name)) {
    const scenario = 'sep-2640-skills-enumeration';
    report(`${name} ${scenario}`, await runSuite(newest, url, ['--scenario', scenario]));
  }
  server.kill();
}

import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Command, type CommandInput, valueOf } from '../command-line/command.ts';
import { exitCodes, usageError } from '../errors.ts';
import type { ServerChecks } from '../inspect/inspector.ts';
import { openBrowser } from '../login/open-browser.ts';
import { listChanges } from './diff/list-changes.ts';
import { readLists } from './diff/versioned-server.ts';

export const inspect: Command = {
  name: 'inspect',
  usage: '[server…] [--port number]',
  help: 'opens a page on this computer that shows servers, calls what they have, and shows every message',
  examples: ['inspect', 'inspect files weather', 'inspect -- node server.mjs'],
  words: ['server'],
  options: [
    { name: 'port', value: 'number', help: 'the port of the page; a free one by default' },
    { name: 'no-browser', help: 'prints the URL of the page without opening it' },
  ],
  async run({ positionals, servers, options, output, version, wire, signal }) {
    for (const name of positionals) await servers.resolve(name);
    const names = positionals.length > 0 ? positionals : servers.names;
    const { Inspector } = await import('../inspect/inspector.ts');
    const { servePage } = await import('../inspect/serve-page.ts');
    const { ViewFrames } = await import('../inspect/view-frames.ts');
    const html = await readFile(join(__dirname, 'inspect.html'), 'utf8');
    const checks = checksOf({ servers, signal });
    const views = new ViewFrames();
    const inspector = new Inspector({ servers, names, version, checks, views });
    wire.on('message', (message) => inspector.add(message));
    await using page = await servePage(html, { inspector, views }, portOf(valueOf(options, 'port')));
    output.text(page.url);
    output.note('The URL opens the page once, in one browser; Ctrl-C ends the page and its servers', 'dim');
    if (options['no-browser'] !== true && output.interactive && !(await openBrowser(new URL(page.url))))
      output.note('No browser could be started; open the address above yourself');
    if (!signal.aborted) await once(signal, 'abort');
    return exitCodes.ok;
  },
};

/** How long each start, request and end may take in an examination, in milliseconds. */
const limitMs = 10_000;

function checksOf({ servers, signal }: Pick<CommandInput, 'servers' | 'signal'>): ServerChecks {
  return {
    async examine(name) {
      const { examine } = await import('../doctor/examine.ts');
      const options = { limitMs, authorize: undefined, signal };
      return examine(await servers.consented(name), options, () => {});
    },
    async compare(before, now) {
      const [old, young] = [
        await readLists(before, { servers, signal }),
        await readLists(now, { servers, signal }),
      ];
      return listChanges(old.lists, young.lists);
    },
  };
}

function portOf(value: string | undefined): number {
  const port = Number(value ?? 0);
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port;
  throw usageError(`Invalid --port: "${value}"; expected a number below 65536`);
}

import { homedir } from 'node:os';
import { join } from 'node:path';
import { quoted } from '@mcp/kit';
import { reachOf } from '@mcp/kit/node';
import type { Given, ListeningProgram } from '@mcp/protocol/command-line';
import { passphraseLogin, type PassphraseLogin } from '../passphrase-login.ts';
import { readPassphrase } from './read-passphrase.ts';

/** URLs that differ only after so many characters would get one file, which the second of them refuses. */
const maxFileName = 100;

/** The login of a program by its options; undefined without `--login`. */
export async function openLogin(
  given: Given,
  program: ListeningProgram,
): Promise<PassphraseLogin | undefined> {
  const [file] = given.values('passphrase-file');
  const [publicUrl] = given.values('public-url');
  if (!given.flag('login')) {
    if ((file ?? publicUrl) !== undefined)
      throw new Error('--passphrase-file and --public-url have no effect without --login');
    return undefined;
  }
  const url = publicUrl === undefined ? urlOf(program) : withPath(publicUrl);
  return passphraseLogin({
    passphrase: await readPassphrase(file, given.warn),
    url,
    file: join(stateDirectory(), 'mcp', 'login', program.command, `${fileNameOf(url)}.json`),
    name: program.command,
    onEvent: given.warn,
  });
}

function urlOf({ host, port }: ListeningProgram): string {
  if (reachOf(host) !== 'loopback' || port === 0)
    throw new Error(
      `Missing --public-url=<url>: with --login, tokens are for the URL that clients use, which ${port === 0 ? 'the port 0' : `the address ${quoted(host)}`} does not tell`,
    );
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}/mcp`;
}

/** The URL with the path of the endpoint, if it has none. */
function withPath(url: string): string {
  return /^https?:\/\/[^/?#]+\/?$/i.test(url) ? `${url.replace(/\/$/, '')}/mcp` : url;
}

/** The name of the file of a URL, such as `mcp.example.com_mcp`: servers at two URLs do not share a file. */
function fileNameOf(url: string): string {
  const name = url.toLowerCase().replace(/^https?:\/\//, '');
  return name.replace(/[^\w.-]+/g, '_').slice(0, maxFileName);
}

/** The directory of the XDG base directory specification; on Windows, the usual one there. */
function stateDirectory(): string {
  const { XDG_STATE_HOME, LOCALAPPDATA } = process.env;
  return process.platform === 'win32'
    ? LOCALAPPDATA || join(homedir(), 'AppData/Local')
    : XDG_STATE_HOME || join(homedir(), '.local/state');
}

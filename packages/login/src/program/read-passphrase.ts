import { readFile, stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { messageOf, quoted } from '@mcp/kit';

const maxBytes = 16 * 1024;

/**
 * The passphrase in a file, in `MCP_PASSPHRASE`, or typed in the terminal. The variable is deleted, so that
 * no program that this one starts inherits it.
 */
export async function readPassphrase(
  file: string | undefined,
  warn: (message: string) => void,
): Promise<string> {
  const { MCP_PASSPHRASE } = process.env;
  delete process.env['MCP_PASSPHRASE'];
  if (file !== undefined) return inFile(file, warn);
  if (MCP_PASSPHRASE) return MCP_PASSPHRASE;
  if (process.stdin.isTTY) return typed();
  throw new Error(
    'Missing passphrase for --login: set MCP_PASSPHRASE, name a file with --passphrase-file, or start in a terminal',
  );
}

async function inFile(file: string, warn: (message: string) => void): Promise<string> {
  try {
    const { size, mode } = await stat(file);
    if (size > maxBytes) throw new Error(`it has more than ${maxBytes} bytes`);
    // On Windows, the mode says nothing about others.
    if (process.platform !== 'win32' && (mode & 0o077) !== 0)
      warn(`Other users may read the passphrase in ${quoted(file)}; chmod 600 prevents it`);
    return (await readFile(file, 'utf8')).replace(/\r?\n$/, '');
  } catch (error) {
    throw new Error(`Cannot read --passphrase-file ${quoted(file)}: ${messageOf(error)}`, { cause: error });
  }
}

/** Asks for the passphrase without showing what is typed. */
async function typed(): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  process.stderr.write('Passphrase for logins: ');
  try {
    return await new Promise((resolve, reject) => {
      lines.question('', resolve);
      lines.once('close', () => reject(new Error('No passphrase was typed')));
    });
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}

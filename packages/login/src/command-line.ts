import type { ProgramAuthorization } from '@mcp/protocol/command-line';

/**
 * The option `--login` of a program: clients over HTTP log in with a passphrase, which comes from
 * `MCP_PASSPHRASE`, a file or the terminal. The code of the login is loaded with the option alone.
 * @example
 * ```ts
 * import { defineServer } from '@mcp/protocol';
 * import { runProgram } from '@mcp/protocol/command-line';
 * import { login } from '@mcp/login/command-line';
 *
 * runProgram({
 *   manifest: { version: '1.0.0', description: 'An example', bin: { example: 'dist/main.js' } },
 *   usage: '',
 *   authorization: login,
 *   server: () => defineServer({ name: 'example', version: '1.0.0' }),
 * });
 * ```
 */
export const login: ProgramAuthorization = {
  options: {
    login: {
      help: 'let HTTP clients log in with a passphrase: that of MCP_PASSPHRASE, or the terminal asks for it',
    },
    'passphrase-file': { value: 'file', help: 'the file with the passphrase of --login' },
    'public-url': {
      value: 'url',
      help: 'the URL that clients of --login use, such as that of a tunnel: https://mcp.example.com/mcp',
    },
  },
  async open(given, program) {
    const { openLogin } = await import('./program/open-login.ts');
    return openLogin(given, program);
  },
};

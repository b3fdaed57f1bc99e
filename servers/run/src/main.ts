import { login } from '@mcp/login/command-line';
import { runProgram } from '@mcp/protocol/command-line';
import manifest from '../package.json' with { type: 'json' };
import { allowCommands } from './allow-commands.ts';
import { run } from './server.ts';

const [first, ...rest] = process.argv.slice(2);
if (first === 'allow') {
  void allowCommands(rest, Object.keys(manifest.bin)[0]!).then((code) => (process.exitCode = code));
} else {
  runProgram({
    manifest,
    usage: '<commands.json>, or: allow <commands.json> [command…] [--yes]',
    authorization: login,
    options: {
      structured: { help: 'answer with structured content; the list of tools has its schemas' },
    },
    server({ positionals, flag, shared }) {
      const [file, extra] = positionals;
      if (file === undefined) throw new Error('Missing argument: the file that names the commands');
      if (extra !== undefined) throw new Error(`Unexpected argument: "${extra}"`);
      // The path makes the command work wherever npx or a clone has put this program.
      const words = [process.argv[0], process.argv[1], 'allow', file];
      return run({
        file,
        structured: flag('structured'),
        shared,
        allowCommand: words.map((each) => shellWord(each!)).join(' '),
      });
    },
  });
}

function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

import type { Command } from '../command-line/command.ts';
import { exitCodes, usageError } from '../errors.ts';
import { printedCommand } from '../printed-command.ts';
import type { Output } from '../terminal/output.ts';
import { sanitizeLine } from '../terminal/sanitize.ts';
import type { ListChange } from './diff/list-changes.ts';

export const diff: Command = {
  name: 'diff',
  usage: '<server[@version]> <server[@version]>',
  help: 'how the lists of two servers differ, or of two versions of its package or two revisions, and what of it is breaking',
  examples: ['diff files@1.0.0 files --breaking', 'diff files@2025-06-18 files@2025-11-25'],
  words: ['server'],
  options: [{ name: 'breaking', help: 'exits with 1 if a difference is breaking' }],
  async run(input) {
    const { positionals, servers, options, output } = input;
    // Imported only here, so that other commands start faster.
    const [{ listChanges }, { readLists, versionedServer }] = await Promise.all([
      import('./diff/list-changes.ts'),
      import('./diff/versioned-server.ts'),
    ]);
    const [before, now, ...rest] = positionals.map((word) => versionedServer(word, servers.names));
    if (!before || !now || rest.length > 0)
      throw usageError(`Expected two servers: ${printedCommand('diff', '<server>', '<server>')}`);
    // One after the other: two versions of a package may share files or a port.
    const [old, young] = [await readLists(before, input), await readLists(now, input)];
    const changes = listChanges(old.lists, young.lists);
    if (output.json) {
      const about = ({ serverInfo, revision }: typeof old) => ({ serverInfo, revision });
      output.value({ before: about(old), now: about(young), changes });
    } else {
      const title = [old, young].map(
        ({ serverInfo, revision }) =>
          `${[serverInfo?.name, serverInfo?.version].filter(Boolean).join(' ')}, ${revision}`,
      );
      output.text(output.styled('bold', sanitizeLine(title.join('  →  '))));
      if (changes.length === 0) output.text('no differences');
      for (const change of changes) printChange(change, output);
    }
    const breaks = options['breaking'] === true && changes.some(({ breaking }) => breaking);
    return breaks ? exitCodes.usage : exitCodes.ok;
  },
};

const marks = { added: '+', removed: '-', renamed: '~', changed: '~' };

function printChange({ list, kind, name, breaking, details }: ListChange, output: Output): void {
  const line = (text: string, isBreaking: boolean) => {
    const clean = sanitizeLine(text);
    return isBreaking ? output.styled('red', `${clean}  (breaking)`) : clean;
  };
  const isOwn = breaking && details.length === 0;
  output.text(`${marks[kind]} ${line(`${list}: ${name}`, isOwn)}`);
  for (const detail of details) output.text(`    ${line(detail.text, detail.breaking)}`);
}

import { revisions } from '@mcp/protocol/client';
import { type Command, type CommandInput, valueOf } from '../command-line/command.ts';
import { serverFirst } from '../command-line/target.ts';
import { exitCodes, usageError } from '../errors.ts';
import { printedCommand } from '../printed-command.ts';
import { outOption, writeCode } from './generate/write-code.ts';

export const test: Command = {
  name: 'test',
  usage: '[server] <file…> [--revision date|all] [--report tap|junit] [-o file]',
  help: 'makes the calls of YAML files and checks their results; exits with 9 if one of them is not as expected',
  examples: [
    'test notes calls.yaml --revision all',
    'test calls.yaml --report junit -o report.xml -- node server.mjs',
  ],
  words: ['server', 'any'],
  options: [
    {
      name: 'revision',
      value: 'date',
      help: 'the revision of the protocol to use; repeatable, and "all" is each of them',
      choices: [...revisions, 'all'],
    },
    {
      name: 'report',
      value: 'format',
      help: 'prints the results for a CI service, or writes them to the file of --out',
      choices: ['tap', 'junit'],
    },
    outOption,
    { name: 'schema', help: 'prints the JSON Schema of the files' },
  ],
  async run(input) {
    const { positionals, options, servers, output, signal } = input;
    if (options['schema']) {
      const { default: schema } = await import('../testing/calls.schema.json', { with: { type: 'json' } });
      output.value(schema);
      return exitCodes.ok;
    }
    const report = valueOf(options, 'report');
    if (options['out'] !== undefined && report === undefined)
      throw usageError('--out needs --report: --report tap or --report junit');
    const { server, files } = filesOf(positionals, servers.names);
    const { readCallFile } = await import('../testing/read-call-file.ts');
    const read = await Promise.all(files.map((file) => readCallFile(file, signal)));
    const { countsOf, nameOf } = await import('../testing/reports/suite.ts');
    const { outcomeLines, suiteJson, summaryLine } = await import('../testing/reports/text.ts');
    const { runSuite } = await import('../testing/run-suite.ts');
    const printsText = !output.json && (report === undefined || options['out'] !== undefined);
    const print = (text: string) => printsText && output.foreign(text);
    const suites = [];
    for (const file of read)
      for (const revision of revisionsOf(input))
        suites.push(
          await runSuite(
            { file, server, revision, servers, signal },
            {
              started: (suite) => print(nameOf(suite)),
              ended: (outcome) => outcomeLines(file, outcome).forEach(print),
            },
          ),
        );
    print(summaryLine(suites));
    if (output.json) output.value(suites.map(suiteJson));
    else if (report === 'tap')
      await writeCode((await import('../testing/reports/tap.ts')).tapReport(suites), input);
    else if (report === 'junit')
      await writeCode((await import('../testing/reports/junit.ts')).junitReport(suites), input);
    return countsOf(suites).failed > 0 ? exitCodes.faults : exitCodes.ok;
  },
};

/** The server and the files of the words; without the name of a server, the only one is meant. */
function filesOf(positionals: readonly string[], names: readonly string[]) {
  const usage = ['test', '<server>', '<file>'];
  const [first] = positionals;
  if (first !== undefined && names.length !== 1 && !names.includes(first) && /\.(?:ya?ml|json)$/i.test(first))
    throw usageError(`Name a server: ${printedCommand(...usage)}`);
  const { server, rest: files } = serverFirst(positionals, names, ...usage);
  if (files.length === 0)
    throw usageError(`Name a file of calls: ${printedCommand('test', server, '<file>')}`);
  return { server, files };
}

/** The revisions of `--revision`, newest first; undefined stands for the newest of both sides. */
function revisionsOf({ options }: CommandInput): readonly (string | undefined)[] {
  const given = options['revision'];
  if (!Array.isArray(given)) return [undefined];
  return given.includes('all') ? revisions : revisions.filter((each) => given.includes(each));
}

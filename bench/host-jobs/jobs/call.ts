import assert from 'node:assert/strict';
import type { Job } from '../job.ts';
import { assertPrinted, callsIn, fileIn, prints } from './checks.ts';
import { connect, inspectTool } from './commands.ts';

const entities = `'[{"name":"Ada","entityType":"person","observations":["likes tea"]}]'`;

/** The answer of a model, in double quotes of a shell. */
const message = JSON.stringify({
  role: 'assistant',
  model: 'm',
  content: { type: 'text', text: 'blue' },
}).replaceAll('"', String.raw`\"`);

/** Calls of tools: arguments, results, failures. */
export const callJobs: readonly Job[] = [
  {
    title: 'Call a tool with a list of objects',
    commands: {
      mcp: [`mcp call memory.create_entities entities=${entities}`],
      mcporter: [`mcporter call memory.create_entities entities=${entities}`],
      mcpc: [
        'mcpc connect ~/.claude.json:memory @memory',
        `mcpc @memory tools-call create_entities entities:=${entities}`,
      ],
      Inspector: [
        'mcp-inspector --cli -q --config ~/.claude.json --server memory --method tools/call ' +
          `--tool-name create_entities --tool-arg entities=${entities}`,
      ],
    },
    check: prints('likes tea'),
  },
  {
    title: 'A wrong type, a value outside the choices, a missing argument: refused before the call',
    commands: {
      mcp: [
        'mcp call everything.get-sum a=two b=3',
        'mcp call everything.get-sum a=2',
        'mcp call everything.get-structured-content location=Paris',
      ],
      mcporter: [
        'mcporter call everything.get-sum a=two b=3',
        'mcporter call everything.get-sum a=2',
        'mcporter call everything.get-structured-content location=Paris',
      ],
      mcpc: [
        connect,
        'mcpc @everything tools-call get-sum a:=two b:=3',
        'mcpc @everything tools-call get-sum a:=2',
        'mcpc @everything tools-call get-structured-content location:=Paris',
      ],
      Inspector: [
        inspectTool('get-sum --tool-arg a=two b=3'),
        inspectTool('get-sum --tool-arg a=2'),
        inspectTool('get-structured-content --tool-arg location=Paris'),
      ],
    },
    check: (run) => {
      assert.equal(callsIn(run), 0, 'the server was called');
      assert.notEqual(run.code, 0, 'the exit code is 0');
      assertPrinted(run.printed, ['number', ['the missing b', /\bb\b/], 'Chicago']);
    },
  },
  {
    title: 'The name of a tool is misspelt: it is suggested, and nothing is called',
    commands: {
      mcp: ['mcp call everything.get-summ a=2 b=3'],
      mcporter: ['mcporter call everything.get-summ a=2 b=3'],
      mcpc: [connect, 'mcpc @everything tools-call get-summ a:=2 b:=3'],
      Inspector: [inspectTool('get-summ --tool-arg a=2 b=3')],
    },
    check: (run) => {
      assert.equal(callsIn(run), 0, 'a tool was called');
      assert.match(run.printed, /get-sum\b/, 'no suggestion');
      assert.notEqual(run.code, 0, 'the exit code is 0');
    },
  },
  {
    title: 'A call as one writes it in a program: server.tool(a: 2, b: 3)',
    commands: {
      mcp: [`mcp call 'everything.get-sum(a: 2, b: 3)'`],
      mcporter: [`mcporter call 'everything.get-sum(a: 2, b: 3)'`],
      mcpc: 'it has no such calls',
      Inspector: 'it has no such calls',
    },
    check: prints('The sum of 2 and 3 is 5'),
  },
  {
    title: 'Arguments as JSON on stdin',
    commands: {
      mcp: [`echo '{"a":2,"b":3}' | mcp call everything.get-sum --args -`],
      mcporter: [`echo '{"a":2,"b":3}' | mcporter call everything.get-sum --args -`],
      mcpc: [connect, `echo '{"a":2,"b":3}' | mcpc @everything tools-call get-sum`],
      Inspector: [`echo '{"a":2,"b":3}' | ${inspectTool('get-sum --tool-args-json "$(cat)"')}`],
    },
    check: prints('The sum of 2 and 3 is 5'),
  },
  {
    title: 'The image of a result, as a file',
    commands: {
      mcp: ['mcp call everything.get-tiny-image --save images'],
      mcporter: ['mcporter call everything.get-tiny-image --save-images images'],
      mcpc: [connect, 'mcpc @everything tools-call get-tiny-image'],
      Inspector: [inspectTool('get-tiny-image --output image.png --output-format raw')],
    },
    check: (run) => {
      const image = fileIn(run, '{images/*,image.png}');
      assert.ok(image, 'no file');
      assert.equal(image.toString('latin1', 1, 4), 'PNG', 'the file is no image');
      assert.ok(run.printed.length < 1000, `${run.printed.length} characters were printed`);
    },
  },
  {
    title: 'A tool fails: a script sees it by the exit code, and gets the reason as JSON',
    commands: {
      mcp: [`mcp --yes --json call files.read_text_file path=missing.txt`],
      mcporter: [
        `mcporter call --stdio 'mcp-server-filesystem .' read_text_file path=missing.txt --output json`,
      ],
      mcpc: [
        'mcpc connect .mcp.json:files @files',
        'mcpc --json @files tools-call read_text_file path:=missing.txt',
      ],
      Inspector: [
        'mcp-inspector --cli -q --format json --config .mcp.json --server files --method tools/call ' +
          '--tool-name read_text_file --tool-arg path=missing.txt',
      ],
    },
    check: ({ stdout, printed, code }) => {
      assert.notEqual(code, 0, 'the exit code is 0');
      assertPrinted(printed, ['missing.txt']);
      assert.doesNotThrow(() => JSON.parse(stdout), 'what stdout has is not JSON');
    },
  },
  {
    title: 'At most a second for a slow tool: the call is cancelled at the server, and fails',
    commands: {
      mcp: ['mcp call everything.trigger-long-running-operation duration=4 steps=1 --timeout 1'],
      mcporter: ['mcporter call everything.trigger-long-running-operation duration=4 steps=1 --timeout 1000'],
      mcpc: [
        connect,
        'mcpc --timeout 1 @everything tools-call trigger-long-running-operation duration:=4 steps:=1',
      ],
      Inspector: 'it has no time limit for a call',
    },
    check: ({ code, received }) => {
      assert.notEqual(code, 0, 'the exit code is 0');
      assert.ok(received.includes('notifications/cancelled'), 'not cancelled at the server');
    },
  },
  {
    title: 'A server asks the user in a terminal',
    typed: 'Ada\nyes\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n',
    commands: {
      mcp: ['mcp call everything.trigger-elicitation-request'],
      mcporter: ['mcporter call everything.trigger-elicitation-request'],
      mcpc: [connect, 'mcpc @everything tools-call trigger-elicitation-request'],
      Inspector: [inspectTool('trigger-elicitation-request')],
    },
    check: prints('provided the requested information', 'Name: Ada'),
  },
  {
    title: 'A server asks a model, which a command answers; and for the directories of the user',
    commands: {
      mcp: [
        `mcp call everything.trigger-sampling-request prompt=Hi --sampling 'echo "${message}"'`,
        'mcp call everything.get-roots-list --root .',
      ],
      mcporter: ['mcporter call everything.trigger-sampling-request prompt=Hi'],
      mcpc: [connect, 'mcpc @everything tools-call trigger-sampling-request prompt:=Hi'],
      Inspector: [
        inspectTool('trigger-sampling-request --tool-arg prompt=Hi'),
        inspectTool('get-roots-list'),
      ],
    },
    check: prints('blue', ['the directory', /URI: file:\S+project/]),
  },
  {
    title: 'The tools of a server for a request to a model, in the form of OpenAI',
    commands: {
      mcp: ['mcp tools everything --format openai'],
      mcporter: 'it has no forms of vendors',
      mcpc: 'it has no forms of vendors',
      Inspector: 'it has no forms of vendors',
    },
    check: prints('"type":"function"', '"parameters"'),
  },
];

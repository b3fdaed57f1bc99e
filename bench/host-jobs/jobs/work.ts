import assert from 'node:assert/strict';
import type { Job } from '../job.ts';
import { assertPrinted, fileIn, prints } from './checks.ts';
import { adHoc, connect, inspectTool } from './commands.ts';

/** Servers at work: watched, kept, recorded, served, measured, behind a login. */
export const workJobs: readonly Job[] = [
  {
    title: 'A line when another program changes a file',
    meanwhile: { after: /watching|subscribed/i, command: 'echo Eggs >> notes.txt' },
    commands: {
      mcp: ['mcp --yes watch files "file://$PWD/notes.txt" --count 1'],
      mcporter: 'it has no subscriptions',
      mcpc: [
        'mcpc connect .mcp.json:files @files',
        'mcpc @files resources-subscribe "file://$PWD/notes.txt"',
      ],
      Inspector: 'its CLI has no subscriptions',
    },
    check: ({ stdout }) => assert.match(stdout, /^files.*notes\.txt/m, 'no line about the change'),
  },
  {
    title: 'Call a server that requires a login, in the browser',
    typed: 'y\n',
    commands: {
      mcp: ['mcp call "$GREETER" greet'],
      mcporter: ['mcporter call "$GREETER.greet" --allow-http'],
      mcpc: ['mcpc login "$GREETER"', 'mcpc connect "$GREETER" @greeter', 'mcpc @greeter tools-call greet'],
      Inspector: [`${adHoc('"$GREETER"')} --method tools/call --tool-name greet`],
    },
    check: ({ stdout }) => assertPrinted(stdout, ['Hello']),
  },
  {
    title: 'A server that no file names, with a header',
    commands: {
      mcp: [`mcp call "$KEYED" greet --header 'X-Key: secret'`],
      mcporter: [`mcporter call --http-url "$KEYED" --allow-http --header X-Key=secret greet`],
      mcpc: [`mcpc connect "$KEYED" @keyed --header 'X-Key: secret'`, 'mcpc @keyed tools-call greet'],
      Inspector: [`${adHoc('"$KEYED"')} --header 'X-Key: secret' --method tools/call --tool-name greet`],
    },
    check: ({ stdout }) => assertPrinted(stdout, ['Hello']),
  },
  {
    title: 'A server that stays between commands: the second call starts none',
    commands: {
      mcp: ['mcp keep', 'mcp call everything.echo message=one', 'mcp call everything.echo message=two'],
      mcporter: [
        'mcporter config add everything --stdio mcp-server-everything --arg stdio',
        `sed -i 's/"command"/"lifecycle": "keep-alive", &/' config/mcporter.json`,
        'mcporter call everything.echo message=one',
        'mcporter call everything.echo message=two',
      ],
      mcpc: [
        connect,
        'mcpc @everything tools-call echo message:=one',
        'mcpc @everything tools-call echo message:=two',
      ],
      Inspector: 'each command starts the server anew',
    },
    check: ({ printed, received }) => {
      assertPrinted(printed, ['one', 'two']);
      assert.equal(received.split('"notifications/initialized"').length - 1, 1, 'it was started again');
    },
  },
  {
    title: 'A typed client in TypeScript, and a program with a command for each tool',
    commands: {
      mcp: ['mcp generate client everything -o client.ts', 'mcp generate cli everything -o cli.ts'],
      mcporter: [
        'mcporter emit-ts everything --mode client --out client.ts',
        'mcporter generate-cli everything --output cli.ts',
      ],
      mcpc: 'it generates no code',
      Inspector: 'it generates no code',
    },
    check: (run) => {
      assert.match(String(fileIn(run, 'client.ts')), /get.?sum/i, 'no client');
      assert.match(String(fileIn(run, 'cli.ts')), /get-sum/, 'no program');
    },
  },
  {
    title: 'Record a call, and repeat it without the server',
    commands: {
      mcp: [
        'mcp call everything.echo message=hi --trace calls.jsonl',
        'mcp call echo message=hi -- mcp replay calls.jsonl',
      ],
      mcporter: [
        'mcporter record calls --server everything -- mcporter call everything.echo message=hi',
        'mcporter replay calls --server everything -- mcporter call everything.echo message=hi',
      ],
      mcpc: 'it records nothing',
      Inspector: 'its CLI records nothing',
    },
    check: ({ stdout, received }) => {
      assertPrinted(stdout, ['Echo: hi']);
      assert.equal(received.split('"tools/call"').length - 1, 1, 'the server was called again');
    },
  },
  {
    title: 'All servers as one, for a host that speaks stdio',
    commands: {
      mcp: ['mcp tools -- mcp --yes serve'],
      mcporter: [
        'mcporter config add files --stdio mcp-server-filesystem --arg .',
        'MCPORTER_KEEPALIVE=* mcporter daemon start',
        'mcp tools -- env MCPORTER_KEEPALIVE=* mcporter serve --stdio',
      ],
      mcpc: 'its proxy has one server',
      Inspector: 'it serves nothing',
    },
    check: prints('sum', 'create_entities', 'read_text_file', 'git_log', 'forecast'),
  },
  {
    title: 'How fast is a tool, with ten calls at a time for half a second',
    commands: {
      mcp: ['mcp load everything.echo message=hi --concurrency 10 --for 0.5'],
      mcporter: 'it measures nothing',
      mcpc: 'it measures nothing',
      Inspector: [inspectTool('echo --tool-arg message=hi --load --load-concurrency 10 --load-duration 0.5')],
    },
    check: prints('p50', 'p99'),
  },
];

import { rgPath } from '@vscode/ripgrep';
import { stop } from '../../child.ts';
import type { Program, Trial } from '../../trial.ts';
import { call, makeWorld, needle, open, ours, pingDuring, tree } from './filesystem-workspace.ts';

/** A server that answers each call with the output of `rg`; its own cost is negligible. */
const ripgrep: Program = {
  args: [
    '-e',
    `const { execFile } = require('node:child_process');
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, params } = JSON.parse(line);
      if (id === undefined) return;
      const answer = (text) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } }));
      if (!params.arguments) return answer('');
      execFile(process.env.RG, ['-nF', params.arguments.text, params.arguments.path], (error, stdout) => answer(stdout));
    });`,
  ],
  env: { RG: rgPath },
};

/** The same work without a server: each file read into one buffer, in the measuring process. */
const floor: Program = {
  args: [
    '-e',
    `const fs = require('node:fs');
    const buffer = Buffer.allocUnsafeSlow(1 << 20);
    const search = (path, needle) => {
      for (const entry of fs.readdirSync(path, { withFileTypes: true })) {
        const at = path + '/' + entry.name;
        if (entry.isDirectory()) { search(at, needle); continue; }
        const fd = fs.openSync(at);
        buffer.subarray(0, fs.readSync(fd, buffer, 0, buffer.length, 0)).includes(needle);
        fs.closeSync(fd);
      }
    };
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, params } = JSON.parse(line);
      if (id === undefined) return;
      if (params.arguments) search(params.arguments.path, Buffer.from(params.arguments.text));
      console.log('{}');
    });`,
  ],
};

export const filesystemSearch: Trial = {
  name: 'filesystem-search',
  about:
    'A text in the contents of 20,000 files, once each server has warmed up; also as a regular expression; and how long ' +
    'a ping takes meanwhile, half of them less. The official server has no such tool',
  implementations: { ours, 'rg as a child': ripgrep, floor },
  columns: ['search ms', 'regex ms', 'ping ms', 'longest ping ms'],
  runs: 7,
  prepare: makeWorld,

  async measure(program) {
    const server = await open(program);
    const search = async (text: string, more: object = {}) => {
      const times: number[] = [];
      for (let round = 0; round < 7; round++)
        times.push((await call(server, [['search_text', { path: tree, text, ...more }]])).ms);
      return times.slice(2).toSorted((a, b) => a - b)[2] ?? 0;
    };
    const literal = await search(needle);
    if (program !== ours) {
      await stop(server);
      return [literal, Number.NaN, Number.NaN, Number.NaN];
    }
    const regex = await search('find\\w+Here', { regex: true });
    const searching = { path: tree, text: needle };
    const pings = await pingDuring(server, [
      ['search_text', searching],
      ['search_text', { ...searching, text: 'find\\w+Here', regex: true }],
      ['search_files', { path: tree, pattern: '**/nothing' }],
      ['directory_tree', { path: tree, limit: 50_000 }],
    ]);
    await stop(server);
    return [literal, regex, pings[pings.length >> 1] ?? 0, pings.at(-1) ?? 0];
  },
  goals: [
    { column: 'search ms', of: 'ours', to: 'floor', atMost: 2.5 },
    // `rg` reads with as many threads as there are cores, the server with one: 2.7 times with two cores.
    { column: 'search ms', of: 'ours', to: 'rg as a child', atMost: 3.3 },
    { column: 'longest ping ms', of: 'ours', atMost: 25 },
  ],
};

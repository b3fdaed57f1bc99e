#!/usr/bin/env node
import { run } from '@mcp/protocol/command-line';
import manifest from '../package.json' with { type: 'json' };
import { listServer } from './server.js';

run({ manifest, usage: '[file]', server: ({ positionals: [file = 'items.txt'] }) => listServer(file) });

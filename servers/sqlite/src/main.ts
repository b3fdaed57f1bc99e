import { run } from '@mcp/protocol/command-line';
import { program } from './program.ts';

run(program);

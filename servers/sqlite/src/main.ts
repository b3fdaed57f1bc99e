import { runProgram } from '@mcp/protocol/command-line';
import { program } from './program.ts';

runProgram(program);

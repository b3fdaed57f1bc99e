export { conversation, responses } from './conversation.ts';
export { errorMessage } from './error-message.ts';
export { explainsItself } from './explains-itself.ts';
export { hostileCases, type HostileCalls, publishedArguments, triedArguments } from './hostile-calls.ts';
export { published } from './published.ts';
export { listedTables, readmeTables, type ListedTables } from './readme-tables.ts';
export { runProgram, type ProgramInput, type ProgramOutput } from './run-program.ts';
export { TemporaryDirectory } from './temporary-directory.ts';
export { acceptedKeys, unknownKeyCalls } from './unknown-keys.ts';

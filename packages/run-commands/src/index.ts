// The configuration: what the operator permits.
export { ConfigurationError, readConfiguration } from './configuration/read-configuration.ts';
export { commandNamed } from './configuration/command-named.ts';
export type { Command, Configuration, Program, SandboxMode } from './configuration/configuration.ts';
export { type ArgumentSchema, describeArgument } from './arguments/argument-schema.ts';
export { argvFor } from './arguments/check-values.ts';
export type { Piece } from './arguments/argv-template.ts';
export type { WritableDirectories } from './access/writable-directories.ts';

// Scripts and files that the operator has to allow before they run.
export { allow, NotAllowed, type Unallowed, unallowed } from './allow/allowance.ts';
export { recordFile, type Seen } from './allow/record.ts';

// Running commands, and their results.
export { CommandRunner, type RunnerOptions, type RunOptions } from './run/command-runner.ts';
export type { Run } from './run/run.ts';
export type { Ended } from './process/run-process.ts';
export type { Sandbox } from './sandbox/sandbox.ts';

// The outputs of commands.
export type { KeptOutput, Passage } from './output/kept-output.ts';
export type { Excerpt, Line } from './text/excerpt.ts';
export { type OutputPage, outputPage } from './text/output-page.ts';
export { runFacts, type RunFacts } from './text/run-facts.ts';
export { runText, statusLine } from './text/run-text.ts';

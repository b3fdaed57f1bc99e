import { readFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { messageOf } from '@mcp/kit';
import { type Document, faultLines, readJsonc, ValueReader } from '@mcp/kit/jsonc';
import { recordFile } from '../allow/record.ts';
import { refuseWritable } from '../access/refuse-writable.ts';
import { WritableDirectories } from '../access/writable-directories.ts';
import { type Command, type Configuration, sandboxModes } from './configuration.ts';
import { commandKeys, type Defaults, readCommand, sharedKeys } from './read-command.ts';
import { pathFrom } from './path-from.ts';

/** Thrown if a configuration cannot be used. The message has a line for each fault. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

const keys = ['$schema', 'writable', 'sandbox', 'maxRunning', 'commands', ...sharedKeys];
const defaultMaxRunning = 4;
const mostRunning = 64;

/**
 * Reads JSON with comments. Throws a `ConfigurationError` with all faults, or if the agent can write the
 * file.
 */
export function readConfiguration(path: string): Configuration {
  const file = resolve(path);
  const document = parse(file);
  const reader = new ValueReader();
  const configuration = readDocument(document.root, file, reader);
  if (reader.faults.length === 0 && configuration) {
    refuseWritable(file, 'The configuration', configuration.writable);
    refuseWritable(recordFile(file), 'The record', configuration.writable);
    return configuration;
  }
  throw new ConfigurationError(faultLines(basename(file), document, reader.faults));
}

function parse(file: string): Document {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigurationError(`Cannot read the configuration "${file}": ${messageOf(error)}`);
  }
  const read = readJsonc(text);
  if (!('mistake' in read)) return read;
  const { line, column, message } = read.mistake;
  throw new ConfigurationError(`${basename(file)}:${line}:${column}: ${message}`);
}

function readDocument(root: unknown, file: string, reader: ValueReader): Configuration | undefined {
  const known = reader.object(root, [], keys);
  if (!known) return undefined;
  const directory = dirname(file);
  const writable = readWritable(known['writable'], directory, reader);
  const defaults: Defaults = { known, directory };
  if (known['commands'] === undefined) reader.fault(['commands'], 'Missing: expected the commands by name');
  const commands = new Map<string, Command>();
  for (const [name, value] of reader.entries(known['commands'], ['commands'])) {
    const command = readCommand(
      name,
      reader.object(value, ['commands', name], commandKeys) ?? {},
      defaults,
      reader,
    );
    if (command) commands.set(name, command);
  }
  return {
    file,
    writable: writable ?? new WritableDirectories([]),
    sandbox: reader.choice(known['sandbox'], ['sandbox'], sandboxModes) ?? 'preferred',
    maxRunning: reader.integer(known['maxRunning'], ['maxRunning'], 1, mostRunning) ?? defaultMaxRunning,
    commands,
  };
}

function readWritable(
  value: unknown,
  directory: string,
  reader: ValueReader,
): WritableDirectories | undefined {
  if (value === undefined) {
    reader.fault(['writable'], 'Missing: expected the directories that the agent may write, or []');
    return undefined;
  }
  const given = reader.texts(value, ['writable']);
  try {
    return new WritableDirectories(given.map((each) => pathFrom(directory, each)));
  } catch (error) {
    reader.fault(['writable'], messageOf(error));
    return undefined;
  }
}

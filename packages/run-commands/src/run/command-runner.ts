import { existsSync, mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { quoted } from '@mcp/kit';
import { requireAllowed } from '../allow/allowance.ts';
import { maxTextBytes } from '../allow/subjects.ts';
import { argvFor } from '../arguments/check-values.ts';
import { leadsTo, outermost, withParents } from '../access/visited-paths.ts';
import type { WritableDirectories } from '../access/writable-directories.ts';
import { commandNamed } from '../configuration/command-named.ts';
import type { Command, Configuration } from '../configuration/configuration.ts';
import { KeptOutput } from '../output/kept-output.ts';
import { environmentFor, trustedPath } from '../process/environment.ts';
import { findProgram } from '../process/find-program.ts';
import { removeAtEnd, removeDirectory } from '../process/remove-directory.ts';
import { type ProcessRun, runProcess } from '../process/run-process.ts';
import { findSandbox, type FoundSandbox } from '../sandbox/find-sandbox.ts';
import type { Run } from './run.ts';
import { Slots } from './slots.ts';

export interface RunnerOptions {
  /**
   * The command line with which the operator allows a command, without the command's name, which follows it.
   */
  readonly allowCommand: string;
}

export interface RunOptions {
  readonly signal: AbortSignal;
  /** Called about once a second while the command waits or runs. */
  readonly onProgress?: (message: string, lines: number) => void;
  readonly onStart?: (run: Run) => void;
}

/** How many of the last runs are kept, with their output. */
const maxRuns = 20;
/** How many milliseconds pass between two reports of the progress of a run. */
const progressMs = 1_000;

/** Runs the commands of a configuration, and keeps the results of the last runs. */
export class CommandRunner {
  readonly configuration: Configuration;
  readonly #options: RunnerOptions;
  readonly #slots: Slots;
  readonly #runs: Run[] = [];
  readonly #listeners = new Map<string, Set<() => void>>();
  #sandbox: Promise<FoundSandbox> | undefined;
  #lastId = 0;

  constructor(configuration: Configuration, options: RunnerOptions) {
    this.configuration = configuration;
    this.#options = options;
    this.#slots = new Slots(configuration.maxRunning);
  }

  /** Returns the command with this name. Throws an error that suggests the nearest name if there is none. */
  command(name: string): Command {
    return commandNamed(name, this.configuration);
  }

  /** Returns the last run of a command that has ended; undefined if there is none. */
  last(command: string): Run | undefined {
    return this.#runs.findLast((each) => each.command === command && each.ended);
  }

  /** Returns the run with this number. Throws if the run does not exist, or is no longer kept. */
  run(id: number): Run {
    const found = this.#runs.find((each) => each.id === id);
    if (found) return found;
    const kept = this.#runs.map((each) => `${each.id} (${each.command})`).join(', ');
    throw new Error(
      `No such run: ${id}; ${kept === '' ? 'none has been started' : `the last ${maxRuns} are kept: ${kept}`}`,
    );
  }

  /** Calls `changed` after each run of a command, until the returned function is called. */
  watch(command: string, changed: () => void): () => void {
    const listeners = this.#listeners.get(command) ?? new Set();
    this.#listeners.set(command, listeners.add(changed));
    return () => void listeners.delete(changed);
  }

  /**
   * Returns the run even if the command failed. Throws if it cannot be started: because of a wrong argument,
   * a script that is not allowed, a missing program, or a missing sandbox if one is required.
   */
  async start(name: string, given: unknown, options: RunOptions): Promise<Run> {
    const command = this.command(name);
    const argv = argvFor(command, given);
    return this.#slots.run(
      name,
      {
        signal: options.signal,
        waits: (running) => options.onProgress?.(`Waiting for ${running.join(', ')}`, 0),
      },
      () => this.#run(command, argv, options),
    );
  }

  async #run(command: Command, args: readonly string[], options: RunOptions): Promise<Run> {
    const { configuration } = this;
    if (!statSync(command.cwd, { throwIfNoEntry: false })?.isDirectory())
      throw new Error(`The working directory is gone: "${command.cwd}"`);
    requireOwnPlace(command.cwd, configuration.writable);
    const env = environmentFor(command.env, configuration.writable, process.env);
    const search = trustedPath(configuration.writable, process.env);
    const found = await this.#findSandbox(search);
    // The files are compared with the allowed ones only now, because they could be replaced while the sandbox
    // is searched for, which takes long.
    const argv = await this.#argv(command, args, env);
    const directory = mkdtempSync(join(tmpdir(), 'mcp-run-'));
    removeAtEnd(directory, search);
    try {
      const sandbox = found && 'sandbox' in found ? found.sandbox : undefined;
      const writable = outermost([...configuration.writable.paths, directory]).filter((each) =>
        existsSync(each),
      );
      const { network, cwd } = command;
      const run = this.#add(command, argv, found);
      const started = {
        argv: sandbox ? sandbox.wrap(argv, { writable, network, cwd }) : argv,
        env: { ...env, TMPDIR: directory },
        cwd,
        directory,
        search,
      };
      return await this.#watched(run, started, options);
    } finally {
      await removeDirectory(directory, search);
    }
  }

  /** Returns the program and its arguments. Throws if the operator has not allowed them as they are now. */
  async #argv(command: Command, args: readonly string[], env: { [name: string]: string }): Promise<string[]> {
    const { program, cwd } = command;
    const [script] = await requireAllowed(command, this.configuration, this.#options.allowCommand);
    if ('path' in program) return [findProgram(program.path, cwd, env['PATH'] ?? ''), ...args];
    if (script?.text === undefined)
      throw new Error(
        `The script "${program.script}" has more than ${maxTextBytes} bytes; move its commands into a file that it runs`,
      );
    // As with `npm run`, the programs of installed packages come first in PATH.
    env['PATH'] = [...withParents(cwd).map((each) => join(each, 'node_modules/.bin')), env['PATH']].join(
      delimiter,
    );
    Object.assign(env, { npm_lifecycle_event: program.script, npm_package_json: join(cwd, 'package.json') });
    // Runs the text that was compared with the allowed one, because the file could have another text by now.
    // The shell passes the arguments on as `"$@"`, and does not interpret them.
    return [shellOfScripts(env), '-c', args.length > 0 ? `${script.text} "$@"` : script.text, 'sh', ...args];
  }

  async #findSandbox(search: string): Promise<FoundSandbox | undefined> {
    const { sandbox } = this.configuration;
    if (sandbox === 'off') return undefined;
    const found = await (this.#sandbox ??= findSandbox(search));
    if (sandbox === 'required' && 'missing' in found)
      throw new Error(
        `Nothing was run, because the configuration requires a sandbox and none works here: ${found.missing}`,
      );
    return found;
  }

  #add(command: Command, argv: readonly string[], found: FoundSandbox | undefined): Writable<Run> {
    const { name, timeoutMs, failures } = command;
    const run: Writable<Run> = {
      id: ++this.#lastId,
      command: name,
      argv,
      startedAt: new Date(),
      output: new KeptOutput(),
      ended: undefined,
      timeoutMs,
      failures,
      sandbox: found && 'sandbox' in found ? found.sandbox.name : undefined,
      unsandboxed: found && 'missing' in found ? found.missing : undefined,
    };
    this.#runs.push(run);
    const old = this.#runs.findIndex((each) => each.ended);
    if (this.#runs.length > maxRuns && old !== -1) this.#runs.splice(old, 1);
    return run;
  }

  async #watched(
    run: Writable<Run>,
    started: Omit<ProcessRun, 'signal' | 'timeoutMs' | 'onOutput'>,
    { signal, onProgress, onStart }: RunOptions,
  ): Promise<Run> {
    const began = performance.now();
    const seconds = () => Math.round((performance.now() - began) / 1_000);
    const report = () => onProgress?.(`${run.output.lines} lines, ${seconds()} s`, seconds());
    const timer = setInterval(report, progressMs);
    onStart?.(run);
    try {
      const ended = await runProcess({
        ...started,
        signal,
        timeoutMs: run.timeoutMs,
        onOutput: (chunk) => run.output.append(chunk),
      });
      run.ended = { ...ended, durationMs: performance.now() - began };
    } catch (error) {
      this.#runs.splice(this.#runs.indexOf(run), 1);
      throw error;
    } finally {
      clearInterval(timer);
    }
    for (const listener of this.#listeners.get(run.command) ?? []) listener();
    return run;
  }
}

/**
 * Throws if `cwd` leads out of the writable directories by a link in one of them: the agent may have made the
 * link, to run the command in a place that the operator did not mean.
 */
function requireOwnPlace(cwd: string, writable: WritableDirectories): void {
  const place = leadsTo(cwd);
  if (writable.holding(cwd) === undefined || writable.holding(place) !== undefined) return;
  throw new Error(
    `The working directory "${cwd}" leads out of the writable directories, to ${quoted(place)}, by a link that the agent may have made; if that is meant, the configuration must name that directory itself`,
  );
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

function shellOfScripts(env: { readonly [name: string]: string }): string {
  return process.platform === 'win32' ? (env['COMSPEC'] ?? 'cmd.exe') : '/bin/sh';
}

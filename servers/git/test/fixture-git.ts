import { simpleGit, type SimpleGit, type SimpleGitOptions } from 'simple-git';

/** What simple-git refuses unless it is allowed. The tests build hostile repositories, so all of it is. */
const guarded = [
  'allowAbbreviatedOptions',
  'allowUnsafeAlias',
  'allowUnsafeAskPass',
  'allowUnsafeCommandBinaries',
  'allowUnsafeConfigEnvCount',
  'allowUnsafeConfigPaths',
  'allowUnsafeCredentialHelper',
  'allowUnsafeDiffExternal',
  'allowUnsafeDiffTextConv',
  'allowUnsafeEditor',
  'allowUnsafeExec',
  'allowUnsafeFilter',
  'allowUnsafeFsMonitor',
  'allowUnsafeGitProxy',
  'allowUnsafeGpgProgram',
  'allowUnsafeHooksPath',
  'allowUnsafeInclude',
  'allowUnsafeMergeDriver',
  'allowUnsafePack',
  'allowUnsafePager',
  'allowUnsafeProtocolOverride',
  'allowUnsafeSshCommand',
  'allowUnsafeSubmodule',
  'allowUnsafeTemplateDir',
  'allowUnsafeUrlRewrite',
] as const satisfies readonly (keyof NonNullable<SimpleGitOptions['unsafe']>)[];

const unsafe = Object.fromEntries(guarded.map((name) => [name, true]));

/** After commits, merges and fetches, git would start another git that finds nothing to do. */
const noMaintenance = {
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'maintenance.auto',
  GIT_CONFIG_VALUE_0: 'false',
};

/**
 * simple-git in `directory`, with `environment` in place of that of the tests and `input` on the stdin of
 * git. Every exit code but 0 rejects with the output of git as the message; by default simple-git resolves if
 * git wrote nothing to stderr.
 */
export function fixtureGit(
  directory: string,
  environment: Readonly<Record<string, string>>,
  input: string | Buffer = Buffer.alloc(0),
): SimpleGit {
  const variables = { ...noMaintenance, ...environment };
  const git = simpleGit(directory, {
    unsafe,
    allowEnvironment: Object.keys(variables),
    completion: { onClose: true, onExit: false },
    timeout: { block: 20_000 },
    input: () => input,
    errors: (error, { exitCode, stdOut, stdErr }) =>
      error ?? (exitCode === 0 ? undefined : Buffer.concat([...stdOut, ...stdErr])),
  });
  // simple-git waits another 50 ms for the output of a command that printed nothing, as most here do.
  git.outputHandler(
    (_command, stdout) => void stdout.once('end', () => stdout.emit('data', Buffer.alloc(0))),
  );
  return git.env(variables);
}

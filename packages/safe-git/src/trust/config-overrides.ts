import { devNull } from 'node:os';
import type { Environment } from '../process/git-process.ts';
import type { Setting } from './git-config.ts';

type Pair = readonly [key: string, value: string];

/** Overrides of settings that change the format of git's output. */
const outputPairs: readonly Pair[] = [
  ['color.ui', 'false'],
  ['core.quotePath', 'false'],
  ['core.pager', 'cat'],
  ['advice.detachedHead', 'false'],
  ['diff.noprefix', 'false'],
  ['diff.mnemonicPrefix', 'false'],
  ['diff.relative', 'false'],
  ['diff.submodule', 'short'],
  ['diff.colorMoved', 'no'],
  ['diff.wsErrorHighlight', 'none'],
  ['diff.suppressBlankEmpty', 'false'],
  ['diff.orderFile', devNull],
  ['diff.renames', 'true'],
  ['status.renames', 'true'],
  ['status.showUntrackedFiles', 'normal'],
  ['log.showSignature', 'false'],
  ['log.showRoot', 'true'],
  ['log.follow', 'false'],
  ['log.mailmap', 'false'],
  ['log.decorate', 'no'],
  ['i18n.logOutputEncoding', 'UTF-8'],
  // The server passes messages to git as UTF-8, so the encoding that a repository declares must not apply.
  ['i18n.commitEncoding', 'UTF-8'],
  ['grep.fallbackToNoIndex', 'false'],
  ['grep.fullName', 'true'],
  ['grep.column', 'false'],
  ['blame.ignoreRevsFile', ''],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['submodule.recurse', 'false'],
  ['fetch.recurseSubmodules', 'false'],
  ['push.recurseSubmodules', 'no'],
];

/** Overrides of settings that make git start a program, or lead it to other files or hosts. */
const safePairs: readonly Pair[] = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['core.editor', ':'],
  ['core.askPass', ''],
  ['core.sshCommand', 'ssh -oBatchMode=yes'],
  ['core.gitProxy', 'none'],
  ['core.alternateRefsCommand', 'true'],
  ['core.virtualFilesystem', ''],
  ['core.protectHFS', 'true'],
  ['core.protectNTFS', 'true'],
  ['sequence.editor', ':'],
  // A line break in this format would add a step to a rebase, and the step could run a program.
  ['rebase.instructionFormat', '%s'],
  ['rebase.backend', 'merge'],
  ['diff.external', ''],
  ['interactive.diffFilter', ''],
  ['gpg.program', 'false'],
  ['gpg.openpgp.program', 'false'],
  ['gpg.x509.program', 'false'],
  ['gpg.ssh.program', 'false'],
  ['gpg.ssh.defaultKeyCommand', 'false'],
  ['commit.gpgSign', 'false'],
  ['tag.gpgSign', 'false'],
  ['tag.forceSignAnnotated', 'false'],
  ['push.gpgSign', 'false'],
  ['merge.verifySignatures', 'false'],
  ['credential.helper', ''],
  ['credential.protectProtocol', 'true'],
  ['credential.sanitizePrompt', 'true'],
  ['init.templateDir', ''],
  ['mailmap.file', ''],
  ['mailmap.blob', ''],
  ['commit.template', ''],
  ['diff.ignoreSubmodules', 'dirty'],
  ['http.cookieFile', ''],
  ['http.curloptResolve', ''],
  ['http.sslVerify', 'true'],
  ['fetch.bundleURI', ''],
  ['transfer.bundleURI', 'false'],
  ['protocol.ext.allow', 'never'],
  // Git's defaults: a repository must not choose how many processes and threads git starts.
  ['checkout.workers', '1'],
  ['grep.threads', '0'],
  ['pack.threads', '0'],
  ['safe.bareRepository', 'explicit'],
];

/**
 * Overrides for keys that contain a name, or that the operator may set too. Each is used only if the
 * repository sets the key.
 */
const driverPairs: readonly (readonly [key: RegExp, value: string])[] = [
  [/^core\.(attributesfile|excludesfile)$/, devNull],
  [/^filter\..*\.(clean|smudge|process)$/s, ''],
  [/^filter\..*\.required$/s, 'false'],
  [/^diff\..*\.(command|textconv)$/s, ''],
  // This is git's default. A pattern of the repository could make git use all memory.
  [/^diff\..*\.x?funcname$/s, '^[[:alpha:]$_].*$'],
  // This is git's default. With an empty driver, a merge would fail.
  [/^merge\..*\.driver$/s, 'git merge-file %A %O %B'],
  [/^branch\..*\.mergeoptions$/s, ''],
  [/^trailer\..*\.(command|cmd)$/s, ''],
  [/^gpg\..*\.(program|defaultkeycommand)$/s, 'false'],
  [/^credential\..*\.helper$/s, ''],
  [/^credential\..*\.(protectprotocol|sanitizeprompt)$/s, 'true'],
  [/^remote\..*\.(uploadpack|receivepack)$/s, ''],
  [/^remote\..*\.vcs$/s, ''],
  [/^remote\..*\.promisor$/s, 'false'],
  [/^submodule\..*\.update$/s, 'none'],
  [/^submodule\..*\.ignore$/s, 'dirty'],
  [/^http\..*\.(cookiefile|curloptresolve)$/s, ''],
  [/^http\..*\.sslverify$/s, 'true'],
  [/^(difftool|mergetool|browser|man|guitool)\..*\.(cmd|path)$/s, ''],
  [/^tar\..*\.command$/s, ''],
  [/^hook\..*\.command$/s, 'true'],
  [/^pager\./s, 'false'],
];

/** The keys of proxies. They get the operator's proxy, because an empty value would turn that proxy off. */
const proxyKeys = /^(http\.(.*\.)?|remote\..*\.)proxy$/s;

/** The operator's settings that also apply in untrusted repositories; none of them starts a program. */
const operatorKeys =
  /^(user\.(name|email|useconfigonly)|author\.(name|email)|committer\.(name|email)|core\.(autocrlf|eol|safecrlf|precomposeunicode)|init\.defaultbranch|diff\.algorithm|merge\.conflictstyle|pull\.(rebase|ff)|push\.default|rerere\.enabled|branch\.autosetup(merge|rebase))$/;
/** Settings of the operator that name a file. They replace an override that has the same key. */
const operatorFileKeys = /^core\.(excludesfile|attributesfile)$/;
/** Settings of the operator for connecting to remotes. */
const operatorRemoteKeys = /^(credential\..*|http\..*)$/s;

/**
 * Matches the key of a git setting that is not UTF-8. Decoding changes such a key, so the setting cannot be
 * overridden: the overriding setting would have another key.
 */
const undecodable = /\\x[0-9a-f]{2}|\ufffd/;

const repositoryScopes = new Set(['local', 'worktree']);

export const outputOverrides: readonly Pair[] = outputPairs;

/**
 * Returns overrides that keep a repository's configuration from starting any program. They take precedence
 * over every configuration file, and over files that these include. Throws `UndecodableKeyError` if a key
 * that must be overridden is not UTF-8.
 */
export function safeOverrides(
  settings: readonly Setting[],
  {
    remote,
    sign = false,
    submodules = [],
    proxy = '',
  }: { remote: boolean; sign?: boolean; submodules?: readonly string[]; proxy?: string },
): Pair[] {
  const pairs: Pair[] = [...outputPairs, ...safePairs];
  for (const name of submodules) {
    // This setting keeps git from looking inside the submodule, whose own configuration was not checked.
    const key = `submodule.${name}.ignore`;
    if (undecodable.test(key)) throw new UndecodableKeyError(key);
    pairs.push([key, 'dirty']);
  }
  const own = settings.filter(({ scope }) => repositoryScopes.has(scope));
  const operatorProxy =
    settings.findLast(({ scope, key }) => !repositoryScopes.has(scope) && key === 'http.proxy')?.value ??
    proxy;
  const set = new Set(own.map(({ key }) => key));
  for (const key of set) {
    const driver = proxyKeys.test(key)
      ? ([proxyKeys, operatorProxy] as const)
      : driverPairs.find(([pattern]) => pattern.test(key));
    if (!driver) continue;
    if (undecodable.test(key)) throw new UndecodableKeyError(key);
    pairs.push([key, driver[1]]);
  }
  // This setting names a file, and an error message would reveal the file's content. Git reads the file only
  // to check fetched objects, so these checks are turned off.
  if (set.has('fetch.fsck.skiplist'))
    pairs.push(['fetch.fsckObjects', 'false'], ['transfer.fsckObjects', 'false']);
  for (const { scope, key, value } of settings) {
    if (repositoryScopes.has(scope) || scope === 'command') continue;
    if (operatorFileKeys.test(key)) pairs.push([key, value]);
    else if (operatorKeys.test(key) && !set.has(key)) pairs.push([key, value]);
    else if (remote && operatorRemoteKeys.test(key)) pairs.push([key, value]);
  }
  if (sign) pairs.push(...signingOverrides(settings));
  return pairs;
}

/**
 * The settings that sign with the key and the programs of the operator, whatever the repository configures.
 * Without a key of the operator, signing fails.
 */
export function signingOverrides(settings: readonly Setting[]): Pair[] {
  const own = (key: string) =>
    settings.findLast((setting) => setting.key === key && !repositoryScopes.has(setting.scope))?.value;
  const key = own('user.signingkey');
  if (key === undefined) return [['commit.gpgSign', 'true']];
  const openpgp = own('gpg.openpgp.program') ?? own('gpg.program') ?? 'gpg';
  return [
    ['commit.gpgSign', 'true'],
    ['user.signingKey', key],
    ['gpg.format', own('gpg.format') ?? 'openpgp'],
    ['gpg.program', openpgp],
    ['gpg.openpgp.program', openpgp],
    ['gpg.x509.program', own('gpg.x509.program') ?? 'gpgsm'],
    ['gpg.ssh.program', own('gpg.ssh.program') ?? 'ssh-keygen'],
  ];
}

/** The configuration names a program under a key that is not UTF-8, so it cannot be overridden. */
export class UndecodableKeyError extends Error {
  override readonly name = 'UndecodableKeyError';
}

/** Returns environment variables: with `-c`, a key could not contain every character. */
export function overridesAsEnvironment(pairs: readonly Pair[]): Environment {
  const environment: { [name: string]: string } = { GIT_CONFIG_COUNT: String(pairs.length) };
  for (const [index, [key, value]] of pairs.entries()) {
    environment[`GIT_CONFIG_KEY_${index}`] = key;
    environment[`GIT_CONFIG_VALUE_${index}`] = value;
  }
  return environment;
}

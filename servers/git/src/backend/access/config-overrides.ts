import { devNull } from 'node:os';
import type { Environment } from '../process/git-process.ts';
import type { Setting } from './git-config.ts';

type Pair = readonly [key: string, value: string];

/** What git prints is for parsing, whatever a repository or a user prefers. */
const output: readonly Pair[] = [
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
  // Messages come as UTF-8, whatever a repository says they are.
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

/** What would start a program of the repository's choice, or lead git to files and hosts it should not touch. */
const guards: readonly Pair[] = [
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
  // With a line break in it a step of a rebase becomes two, of which the second can be a program.
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
  ['http.proxy', ''],
  ['http.cookieFile', ''],
  ['http.curloptResolve', ''],
  ['http.sslVerify', 'true'],
  ['fetch.bundleURI', ''],
  ['transfer.bundleURI', 'false'],
  ['protocol.ext.allow', 'never'],
  // As many processes and threads as git takes itself, and not as many as a repository likes.
  ['checkout.workers', '1'],
  ['grep.threads', '0'],
  ['pack.threads', '0'],
  ['safe.bareRepository', 'explicit'],
];

/** Keys that are overridden where a repository sets them: those with a name in the middle, and those with a default of the operator's. */
const drivers: readonly (readonly [key: RegExp, value: string])[] = [
  [/^core\.(attributesfile|excludesfile)$/, devNull],
  [/^filter\..*\.(clean|smudge|process)$/s, ''],
  [/^filter\..*\.required$/s, 'false'],
  [/^diff\..*\.(command|textconv)$/s, ''],
  // A pattern can take all the memory there is; this one is what git does when none is set.
  [/^diff\..*\.x?funcname$/s, '^[[:alpha:]$_].*$'],
  // Without a driver a merge would die; this is what git does when none is set.
  [/^merge\..*\.driver$/s, 'git merge-file %A %O %B'],
  [/^branch\..*\.mergeoptions$/s, ''],
  [/^trailer\..*\.(command|cmd)$/s, ''],
  [/^gpg\..*\.(program|defaultkeycommand)$/s, 'false'],
  [/^credential\..*\.helper$/s, ''],
  [/^credential\..*\.(protectprotocol|sanitizeprompt)$/s, 'true'],
  [/^remote\..*\.(uploadpack|receivepack)$/s, ''],
  [/^remote\..*\.(vcs|proxy)$/s, ''],
  [/^remote\..*\.promisor$/s, 'false'],
  [/^submodule\..*\.update$/s, 'none'],
  [/^submodule\..*\.ignore$/s, 'dirty'],
  [/^http\..*\.(proxy|cookiefile|curloptresolve)$/s, ''],
  [/^http\..*\.sslverify$/s, 'true'],
  [/^(difftool|mergetool|browser|man|guitool)\..*\.(cmd|path)$/s, ''],
  [/^tar\..*\.command$/s, ''],
  [/^hook\..*\.command$/s, 'true'],
  [/^pager\./s, 'false'],
];

/** The operator's own settings that a repository nobody vouches for is still worked on with: none starts a program. */
const carried =
  /^(user\.(name|email|useconfigonly)|author\.(name|email)|committer\.(name|email)|core\.(autocrlf|eol|safecrlf|precomposeunicode)|init\.defaultbranch|diff\.algorithm|merge\.conflictstyle|pull\.(rebase|ff)|push\.default|rerere\.enabled|branch\.autosetup(merge|rebase))$/;
/** The same that take the place of a guard: paths of the operator's own files. */
const carriedFiles = /^core\.(excludesfile|attributesfile)$/;
/** What the operator set up to reach remotes with. */
const carriedRemote = /^(credential\..*|http\..*)$/s;

/** A name that is not UTF-8 was read as another one, which is not what it would have to be overridden by. */
const unreadable = /\\x[0-9a-f]{2}|\ufffd/;

const own = new Set(['local', 'worktree']);

/** Overrides for every repository. */
export const outputOverrides: readonly Pair[] = output;

/**
 * Overrides that leave nothing in a repository's configuration that could start a program. They win over every
 * file, and over what those files include.
 */
export function safeOverrides(
  settings: readonly Setting[],
  { remote, submodules = [] }: { remote: boolean; submodules?: readonly string[] },
): Pair[] {
  const pairs: Pair[] = [...output, ...guards];
  for (const name of submodules) {
    // Looking into a submodule would run git there, on configuration that nobody has looked at.
    const key = `submodule.${name}.ignore`;
    if (unreadable.test(key)) throw new UnreadableDriver(key);
    pairs.push([key, 'dirty']);
  }
  const mine = settings.filter(({ scope }) => own.has(scope));
  const set = new Set(mine.map(({ key }) => key));
  for (const key of set) {
    const driver = drivers.find(([pattern]) => pattern.test(key));
    if (!driver) continue;
    if (unreadable.test(key)) throw new UnreadableDriver(key);
    pairs.push([key, driver[1]]);
  }
  // The list is a file, of which an error would tell; without a check nobody reads it.
  if (set.has('fetch.fsck.skiplist'))
    pairs.push(['fetch.fsckObjects', 'false'], ['transfer.fsckObjects', 'false']);
  for (const { scope, key, value } of settings) {
    if (own.has(scope) || scope === 'command') continue;
    if (carriedFiles.test(key)) pairs.push([key, value]);
    else if (carried.test(key) && !set.has(key)) pairs.push([key, value]);
    else if (remote && carriedRemote.test(key)) pairs.push([key, value]);
  }
  return pairs;
}

/** A repository's configuration names a program under a name that cannot be written down to override it. */
export class UnreadableDriver extends Error {
  override readonly name = 'UnreadableDriver';
}

/** Overrides as git takes them from its environment: there a name can hold any character, as it cannot in `-c`. */
export function overridesAsEnvironment(pairs: readonly Pair[]): Environment {
  const environment: { [name: string]: string } = { GIT_CONFIG_COUNT: String(pairs.length) };
  for (const [index, [key, value]] of pairs.entries()) {
    environment[`GIT_CONFIG_KEY_${index}`] = key;
    environment[`GIT_CONFIG_VALUE_${index}`] = value;
  }
  return environment;
}

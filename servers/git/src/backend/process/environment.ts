import { isAbsolute, delimiter } from 'node:path';
import { devNull } from 'node:os';
import type { Environment } from './git-process.ts';

/** What git and the programs of the operator that it may start need to know of the system; nothing of git's own. */
const kept =
  /^(PATH|HOME|USER|LOGNAME|TMPDIR|TMP|TEMP|TZ|XDG_\w+|SystemRoot|SYSTEMROOT|WINDIR|windir|COMSPEC|ComSpec|PATHEXT|USERPROFILE|APPDATA|LOCALAPPDATA|PROGRAMDATA|ProgramData|HOMEDRIVE|HOMEPATH)$/;
/** How remotes are reached. */
const network =
  /^(SSH_AUTH_SOCK|SSH_AGENT_PID|(https?|all|no)_proxy|(HTTPS?|ALL|NO)_PROXY|CURL_CA_BUNDLE|SSL_CERT_(FILE|DIR)|GIT_SSL_CAINFO|GIT_SSL_CAPATH)$/;
/** Where the operator's own settings are. */
const settings = /^GIT_CONFIG_(GLOBAL|SYSTEM|NOSYSTEM)$/;
/** What a trusted repository may see besides: the operator's ways to sign, to reach remotes, and who they are. */
const trusted =
  /^(GIT_(SSH|SSH_COMMAND|SSH_VARIANT|ASKPASS|AUTHOR_\w+|COMMITTER_\w+|EXEC_PATH)|GNUPGHOME|GPG_\w+)$/;

/** Nobody is asked, nothing is shown to a person, names are names, and messages are in English. */
const always: Environment = {
  LC_ALL: 'C',
  TERM: 'dumb',
  GIT_TERMINAL_PROMPT: '0',
  GIT_PAGER: 'cat',
  GIT_EDITOR: ':',
  GIT_SEQUENCE_EDITOR: ':',
  GIT_MERGE_AUTOEDIT: 'no',
  GIT_LITERAL_PATHSPECS: '1',
  GIT_PROGRESS_DELAY: '0',
  GIT_FLUSH: '1',
};

/** The environments git runs in, made from the operator's, of which only what is named here gets through. */
export class Environments {
  /** To look at where a repository is and what it is set to; no program is started for that. */
  readonly looking: Environment;
  /** For a repository nobody vouches for: nobody's configuration but its own, which is overridden. */
  readonly untrusted: Environment;
  readonly trusted: Environment;
  /** Added where a remote may be spoken to. */
  readonly remote: Environment;
  readonly path: string;

  constructor(operator: { readonly [name: string]: string | undefined }, ceilings: readonly string[]) {
    const base: { [name: string]: string } = {
      ...pick(operator, kept),
      ...always,
      GIT_CEILING_DIRECTORIES: ceilings.join(delimiter),
    };
    // A program that a relative entry finds could be one that the repository brought.
    this.path = (base['PATH'] ?? '').split(delimiter).filter(isAbsolute).join(delimiter);
    base['PATH'] = this.path;
    const own = pick(operator, settings);
    const silent = { GIT_ALLOW_PROTOCOL: '', GIT_NO_LAZY_FETCH: '1', GIT_ASKPASS: '', GIT_PROXY_COMMAND: '' };
    this.looking = { ...base, ...own, ...silent };
    this.untrusted = {
      ...base,
      ...silent,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: devNull,
      GIT_SSH_COMMAND: 'ssh -oBatchMode=yes',
      GIT_SSH_VARIANT: 'ssh',
      GIT_ATTR_NOSYSTEM: '1',
    };
    this.trusted = { ...base, ...own, ...pick(operator, trusted), ...pick(operator, network) };
    this.remote = pick(operator, network);
  }
}

function pick(
  from: { readonly [name: string]: string | undefined },
  names: RegExp,
): { [name: string]: string } {
  const picked: { [name: string]: string } = {};
  for (const [name, value] of Object.entries(from)) {
    if (value !== undefined && names.test(name)) picked[name] = value;
  }
  return picked;
}

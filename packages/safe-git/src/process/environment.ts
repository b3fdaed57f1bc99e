import { isAbsolute, delimiter } from 'node:path';
import { devNull } from 'node:os';
import type { Environment } from './git-process.ts';

/** The operator's system variables that git and the programs it starts need. */
const systemVariables =
  /^(PATH|HOME|USER|LOGNAME|TMPDIR|TMP|TEMP|TZ|XDG_\w+|SystemRoot|SYSTEMROOT|WINDIR|windir|COMSPEC|ComSpec|PATHEXT|USERPROFILE|APPDATA|LOCALAPPDATA|PROGRAMDATA|ProgramData|HOMEDRIVE|HOMEPATH)$/;
const networkVariables =
  /^(SSH_AUTH_SOCK|SSH_AGENT_PID|(https?|all|no)_proxy|(HTTPS?|ALL|NO)_PROXY|CURL_CA_BUNDLE|SSL_CERT_(FILE|DIR)|GIT_SSL_CAINFO|GIT_SSL_CAPATH)$/;
const configVariables = /^GIT_CONFIG_(GLOBAL|SYSTEM|NOSYSTEM)$/;
/** Variables for the programs that sign commits and tags. */
const signingVariables = /^(SSH_AUTH_SOCK|SSH_AGENT_PID|GNUPGHOME)$/;
/** Additional variables for trusted repositories: for signing, connecting to remotes, and identity. */
const trustedVariables =
  /^(GIT_(SSH|SSH_COMMAND|SSH_VARIANT|ASKPASS|AUTHOR_\w+|COMMITTER_\w+|EXEC_PATH)|GNUPGHOME|GPG_\w+)$/;

/** Variables for every git process: no prompts, no pager, no editor, literal paths, messages in English. */
const fixedVariables: Environment = {
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

/**
 * The environments in which git runs. They have only those of the operator's variables that are listed above.
 */
export class Environments {
  /** For the commands that inspect a repository; none of them starts a program. */
  readonly inspection: Environment;
  /**
   * For an untrusted repository: git reads only the repository's own configuration, and `safeOverrides`
   * replaces its unsafe settings.
   */
  readonly untrusted: Environment;
  readonly trusted: Environment;
  /** Additional variables for commands that connect to a remote. */
  readonly remote: Environment;
  /** Additional variables for signing; no program asks for a passphrase in a terminal. */
  readonly signing: Environment;
  /** The operator's proxy, which replaces a proxy that a repository configures; empty if there is none. */
  readonly proxy: string;
  readonly path: string;

  constructor(operator: { readonly [name: string]: string | undefined }, ceilings: readonly string[]) {
    const base: { [name: string]: string } = {
      ...pick(operator, systemVariables),
      ...fixedVariables,
      GIT_CEILING_DIRECTORIES: ceilings.join(delimiter),
    };
    // Relative entries are removed, because git could find a program of the repository through them.
    this.path = (base['PATH'] ?? '').split(delimiter).filter(isAbsolute).join(delimiter);
    base['PATH'] = this.path;
    const own = pick(operator, configVariables);
    const silent = { GIT_ALLOW_PROTOCOL: '', GIT_NO_LAZY_FETCH: '1', GIT_ASKPASS: '', GIT_PROXY_COMMAND: '' };
    this.inspection = { ...base, ...own, ...silent };
    this.untrusted = {
      ...base,
      ...silent,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: devNull,
      GIT_SSH_COMMAND: 'ssh -oBatchMode=yes',
      GIT_SSH_VARIANT: 'ssh',
      GIT_ATTR_NOSYSTEM: '1',
    };
    this.trusted = {
      ...base,
      ...own,
      ...pick(operator, trustedVariables),
      ...pick(operator, networkVariables),
    };
    this.remote = pick(operator, networkVariables);
    this.signing = { ...pick(operator, signingVariables), SSH_ASKPASS_REQUIRE: 'never' };
    const { https_proxy, HTTPS_PROXY, http_proxy, all_proxy, ALL_PROXY } = this.remote;
    this.proxy = https_proxy ?? HTTPS_PROXY ?? all_proxy ?? ALL_PROXY ?? http_proxy ?? '';
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

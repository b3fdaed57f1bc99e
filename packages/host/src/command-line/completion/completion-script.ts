/** The shells that have a completion script. */
export const completionShells = ['bash', 'zsh', 'fish'] as const;

export type CompletionShell = (typeof completionShells)[number];

// Each script completes the commands `mcp` and `mcp-host`, and passes the words up to the cursor to the
// hidden command `__complete`, which prints a suggestion on each line: the word, a tab, and its help. No
// space follows a suggestion that ends in `.`, `=`, `/` or `:`, because its word continues.

const bash = String.raw`# Completion of mcp for bash: source <(mcp completion bash)
_mcp() {
  local line="\${COMP_LINE:0:COMP_POINT}" word="\${COMP_WORDS[COMP_CWORD]}" prefix value rest
  # bash splits words at = and :, mcp does not; what bash leaves before the word is not part of a reply.
  local typed="\${line##*[[:space:]]}"
  [[ "$word" == [=:] ]] && word=
  prefix="\${typed%"$word"}"
  local -a words
  read -ra words <<< "$line"
  [[ "$line" == *[[:space:]] ]] && words+=('')
  COMPREPLY=()
  while IFS=$'\t' read -r value rest; do
    [[ "$value" == *[.=/:] ]] && compopt -o nospace 2> /dev/null
    value="\${value#"$prefix"}"
    # bash inserts a reply as it is: a name of a server that the shell would read otherwise is escaped.
    [[ "$value" == *[^a-zA-Z0-9_.,:/=@%+-]* ]] && printf -v value %q "$value"
    COMPREPLY+=("$value")
  done < <("\${words[0]}" __complete "\${words[@]:1}" 2> /dev/null)
}
complete -o default -F _mcp mcp mcp-host
`;

const zsh = String.raw`#compdef mcp mcp-host
# Completion of mcp for zsh: source <(mcp completion zsh)
_mcp() {
  local line
  local -a values helps open openHelps
  while IFS= read -r line; do
    local value="\${line%%$'\t'*}" help="\${line#*$'\t'}"
    if [[ "$value" == *[.=/:] ]]; then
      open+=("$value") openHelps+=("$value  $help")
    else
      values+=("$value") helps+=("$value  $help")
    fi
  done < <("\${words[1]}" __complete "\${(@Q)words[2,CURRENT]}" 2> /dev/null)
  (( $#values )) && compadd -l -d helps -a values
  (( $#open )) && compadd -l -S '' -d openHelps -a open
  (( $#values + $#open )) || _files
}
compdef _mcp mcp mcp-host
`;

const fish = String.raw`# Completion of mcp for fish: mcp completion fish | source
function __mcp_complete
    set -l words (commandline -opc) (commandline -ct)
    $words[1] __complete $words[2..-1] 2> /dev/null
end
complete -c mcp -c mcp-host -f -a '(__mcp_complete)'
`;

const scripts: Readonly<Record<CompletionShell, string>> = { bash, zsh, fish };

/** The script that completes the command lines of `mcp` in a shell. */
export function completionScript(shell: CompletionShell): string {
  // The scripts are raw template strings, in which `\$` keeps its backslash, so the backslash is removed
  // here.
  return scripts[shell].replaceAll('\\$', '$');
}

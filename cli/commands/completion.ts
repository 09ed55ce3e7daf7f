// `weir completion SHELL`: the script with which a shell completes commands, flags and names.
import { fillTemplate, joinList } from '../../core/errors.ts'
import { command } from '../command.ts'
import { UsageError } from '../failure.ts'
import { words } from '../texts.ts'

/** Scripts by the name of the shell. */
const COMPLETION_SCRIPTS = {
  bash: `_weir() {
  local line quoted
  COMPREPLY=()
  while IFS= read -r line; do
    printf -v quoted %q "$line"
    COMPREPLY+=("$quoted")
  done < <(weir __complete bash "\${COMP_LINE:0:COMP_POINT}" "$COMP_WORDBREAKS" 2>/dev/null)
}
complete -o default -F _weir weir
`,
  zsh: `#compdef weir
_weir() {
  local -a values shown
  local line
  while IFS= read -r line; do
    values+=("\${line%%$'\\t'*}")
    shown+=("\${line/$'\\t'/  -- }")
  done < <(weir __complete zsh "\${(j: :)\${(@q)words[1,CURRENT]}}" 2>/dev/null)
  if (( \${#values} )); then compadd -l -d shown -a values; else _files; fi
}
compdef _weir weir
`,
  fish: `complete -c weir -f -a '(weir __complete fish (commandline -pc) 2>/dev/null)'
`,
  pwsh: `Register-ArgumentCompleter -Native -CommandName weir -ScriptBlock {
  param($word, $ast, $cursor)
  $line = $ast.ToString().PadRight($cursor - $ast.Extent.StartOffset).Substring(0, $cursor - $ast.Extent.StartOffset)
  weir __complete pwsh "$line" 2>$null | ForEach-Object {
    $value, $about = $_ -split "\`t", 2
    $text = if ($value -match '[\\s$''"();,{}|&<>@#]') { "'" + $value.Replace("'", "''") + "'" } else { $value }
    [System.Management.Automation.CompletionResult]::new($text, $value, 'ParameterValue', $(if ($about) { $about } else { $value }))
  }
}
`,
} as const
type ShellWithCompletion = keyof typeof COMPLETION_SCRIPTS
export const completedShellNames = Object.keys(COMPLETION_SCRIPTS) as ShellWithCompletion[]

export const completionCommand = command({
  name: 'completion',
  readOnly: true,
  summary: words('Print the script that completes weir in a shell'),
  details: words(
    '  bash: eval "$(weir completion bash)"                 in ~/.bashrc\n  zsh:  eval "$(weir completion zsh)"                  in ~/.zshrc, behind compinit\n  fish: weir completion fish | source                  in ~/.config/fish/config.fish\n  pwsh: weir completion pwsh | Out-String | Invoke-Expression   in $PROFILE\nNames of channels, models, users, tokens and teams are asked of the gateway, and kept for some seconds.',
  ),
  arguments: { shell: { spec: '<shell>', help: joinList(completedShellNames) } },
  async run({ args, print }) {
    const { shell } = args
    if (!Object.hasOwn(COMPLETION_SCRIPTS, shell))
      throw new UsageError(
        fillTemplate(words('No completion for "{shell}": choose one of {completedShells}.'), {
          shell,
          completedShells: joinList(completedShellNames),
        }),
      )
    const script = COMPLETION_SCRIPTS[shell as ShellWithCompletion]
    await print.text(script, { script })
  },
})

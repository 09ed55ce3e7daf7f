// `weir completion SHELL`: the script with which a shell completes commands, flags and names.
import { fillTemplate, joinList } from '../../core/errors.ts'
import { command } from '../command.ts'
import { completedShellNames, COMPLETION_SCRIPTS, type ShellWithCompletion } from '../completion/scripts.ts'
import { UsageError } from '../failure.ts'
import { words } from '../texts.ts'

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

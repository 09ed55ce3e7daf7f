// `weir completion SHELL`: the script with which a shell completes commands, flags and names.
import { words } from '../../core/errors.ts'
import { command } from '../command.ts'
import { completedShells, SCRIPTS, type ShellWithCompletion } from '../completion/scripts.ts'
import { UsageError } from '../failure.ts'

export const completion = command({
  name: 'completion',
  readOnly: true,
  summary: words('Print the script that completes weir in a shell', '输出 shell 自动补全脚本'),
  details: words(
    `  bash: eval "$(weir completion bash)"                 in ~/.bashrc
  zsh:  eval "$(weir completion zsh)"                  in ~/.zshrc, behind compinit
  fish: weir completion fish | source                  in ~/.config/fish/config.fish
  pwsh: weir completion pwsh | Out-String | Invoke-Expression   in $PROFILE
Names of channels, models, users, tokens and teams are asked of the gateway, and kept for some seconds.`,
    `  bash：eval "$(weir completion bash)"                 写入 ~/.bashrc
  zsh： eval "$(weir completion zsh)"                  写入 ~/.zshrc，在 compinit 之后
  fish：weir completion fish | source                  写入 ~/.config/fish/config.fish
  pwsh：weir completion pwsh | Out-String | Invoke-Expression   写入 $PROFILE
渠道、模型、用户、令牌与团队的名称向网关查询，并保留几秒。`,
  ),
  arguments: { shell: { spec: '<shell>', help: words(completedShells.join(', '), completedShells.join('、')) } },
  async run({ args, print }) {
    const { shell } = args
    if (!Object.hasOwn(SCRIPTS, shell))
      throw new UsageError(
        words(
          `No completion for "${shell}": choose one of ${completedShells.join(', ')}.`,
          `不支持 "${shell}" 的补全：可选 ${completedShells.join('、')}。`,
        ),
      )
    const script = SCRIPTS[shell as ShellWithCompletion]
    await print.text(script, { script })
  },
})

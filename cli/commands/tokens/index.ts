// `weir tokens …`: API keys of the signed-in user; on the host those of the super administrator.
import { group } from '../../command.ts'
import { addCommand, editCommand, removeCommand, tokenSwitchCommands } from './change.ts'
import { envCommand, listCommand, showCommand } from './look.ts'
import { words } from '../../texts.ts'

export const tokensCommand = group({
  name: 'tokens',
  summary: words('API keys'),
  commands: [listCommand, showCommand, addCommand, editCommand, ...tokenSwitchCommands, envCommand, removeCommand],
})

// `weir channels keys …`: the keys of one channel.
import { group } from '../../../command.ts'
import { addCommand, removeCommand, keySwitchCommands } from './change.ts'
import { listCommand } from './look.ts'
import { words } from '../../../texts.ts'

export const keysCommand = group({
  name: 'keys',
  summary: words('Keys of a channel, which are never shown whole'),
  commands: [listCommand, addCommand, ...keySwitchCommands, removeCommand],
})

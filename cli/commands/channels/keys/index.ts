// `weir channels keys …`: the keys of one channel.
import { group } from '../../../command.ts'
import { add, remove, switches } from './change.ts'
import { list } from './look.ts'
import { words } from '../../../texts.ts'

export const keys = group({
  name: 'keys',
  summary: words('The keys of a channel, which are never shown whole'),
  commands: [list, add, ...switches, remove],
})

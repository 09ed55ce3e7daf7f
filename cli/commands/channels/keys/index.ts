// `weir channels keys …`: the keys of one channel.
import { words } from '../../../../core/errors.ts'
import { group } from '../../../command.ts'
import { add, remove, switches } from './change.ts'
import { list } from './look.ts'

export const keys = group({
  name: 'keys',
  summary: words('The keys of a channel, which are never shown whole', '渠道的密钥，从不完整显示'),
  commands: [list, add, ...switches, remove],
})

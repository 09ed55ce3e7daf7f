// `weir channels …`: the configured upstreams.
import { group } from '../../command.ts'
import { add, copy, disable, edit, enable, remove } from './change.ts'
import { keys } from './keys/index.ts'
import { list, models, show, types } from './look.ts'
import { words } from '../../texts.ts'
import { balance, test } from './try.ts'

export const channels = group({
  name: 'channels',
  summary: words('Configured upstreams'),
  commands: [list, show, add, edit, enable, disable, copy, remove, test, balance, models, keys, types],
})

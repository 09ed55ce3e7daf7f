// `weir channels …`: the configured upstreams.
import { words } from '../../../core/errors.ts'
import { group } from '../../command.ts'
import { add, copy, disable, edit, enable, remove } from './change.ts'
import { keys } from './keys/index.ts'
import { list, models, show, types } from './look.ts'
import { balance, test } from './try.ts'

export const channels = group({
  name: 'channels',
  summary: words('Configured upstreams', '上游渠道'),
  commands: [list, show, add, edit, enable, disable, copy, remove, test, balance, models, keys, types],
})

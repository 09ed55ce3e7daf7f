// `weir logs …`: the usage log.
import { words } from '../../../core/errors.ts'
import { group } from '../../command.ts'
import { body, exportRows, list, tail } from './look.ts'
import { home, move } from './move.ts'
import { prune } from './prune.ts'
import { explain, trace } from './trace.ts'

export const logs = group({
  name: 'logs',
  summary: words('The usage log', '使用日志'),
  commands: [list, tail, trace, explain, body, exportRows, prune, home, move],
})

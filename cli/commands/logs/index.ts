// `weir logs …`: the usage log.
import { group } from '../../command.ts'
import { body, exportRows, list, tail } from './look.ts'
import { home, move } from './move.ts'
import { prune } from './prune.ts'
import { words } from '../../texts.ts'
import { explain, trace } from './trace.ts'

export const logs = group({
  name: 'logs',
  summary: words('The usage log'),
  commands: [list, tail, trace, explain, body, exportRows, prune, home, move],
})

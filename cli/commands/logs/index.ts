// `weir logs …`: the usage log.
import { group } from '../../command.ts'
import { bodyCommand, exportRowsCommand, listCommand, tailCommand } from './look.ts'
import { homeCommand, moveCommand } from './move.ts'
import { pruneCommand } from './prune.ts'
import { words } from '../../texts.ts'
import { explainCommand, traceCommand } from './trace.ts'

export const logsCommand = group({
  name: 'logs',
  summary: words('The usage log'),
  commands: [
    listCommand,
    tailCommand,
    traceCommand,
    explainCommand,
    bodyCommand,
    exportRowsCommand,
    pruneCommand,
    homeCommand,
    moveCommand,
  ],
})

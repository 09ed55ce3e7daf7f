// `weir prices …`: prices of models.
import { group } from '../../command.ts'
import {
  historyCommand,
  listCommand,
  missingCommand,
  removeCommand,
  resetCommand,
  setCommand,
  undoCommand,
} from './look.ts'
import { previewCommand, syncCommand } from './sync.ts'
import { words } from '../../texts.ts'

export const pricesCommand = group({
  name: 'prices',
  summary: words('Prices of models'),
  commands: [
    listCommand,
    setCommand,
    removeCommand,
    missingCommand,
    historyCommand,
    undoCommand,
    resetCommand,
    previewCommand,
    syncCommand,
  ],
})

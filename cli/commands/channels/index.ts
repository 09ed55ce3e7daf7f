// `weir channels …`: the configured upstreams.
import { group } from '../../command.ts'
import {
  addCommand,
  copyCommand,
  disableCommand,
  editCommand,
  enableCommand,
  removeCommand,
  repairCommand,
} from './change.ts'
import { keysCommand } from './keys.ts'
import { listCommand, modelsCommand, showCommand, typesCommand } from './look.ts'
import { words } from '../../texts.ts'
import { balanceCommand, testCommand } from './try.ts'

export const channelsCommand = group({
  name: 'channels',
  summary: words('Upstream channels'),
  commands: [
    listCommand,
    showCommand,
    addCommand,
    editCommand,
    enableCommand,
    disableCommand,
    copyCommand,
    removeCommand,
    testCommand,
    balanceCommand,
    modelsCommand,
    keysCommand,
    typesCommand,
    repairCommand,
  ],
})

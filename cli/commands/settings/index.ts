// `weir settings …`: operator options, effective immediately.
import { group } from '../../command.ts'
import { editCommand, setCommand, testMailCommand, unsetCommand } from './change.ts'
import { diffCommand, explainCommand, getCommand, listCommand } from './look.ts'
import { words } from '../../texts.ts'

export const settingsCommand = group({
  name: 'settings',
  summary: words('Settings of the gateway'),
  commands: [
    listCommand,
    getCommand,
    setCommand,
    unsetCommand,
    editCommand,
    diffCommand,
    explainCommand,
    testMailCommand,
  ],
})

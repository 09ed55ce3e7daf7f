// `weir settings …`: operator options, effective immediately.
import { group } from '../../command.ts'
import { edit, set, unset } from './change.ts'
import { diff, explain, get, list } from './look.ts'
import { words } from '../../texts.ts'

export const settings = group({
  name: 'settings',
  summary: words('Operator options'),
  commands: [list, get, set, unset, edit, diff, explain],
})

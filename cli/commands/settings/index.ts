// `weir settings …`: operator options, effective immediately.
import { words } from '../../../core/errors.ts'
import { group } from '../../command.ts'
import { edit, set, unset } from './change.ts'
import { diff, explain, get, list } from './look.ts'

export const settings = group({
  name: 'settings',
  summary: words('Operator options', '系统设置'),
  commands: [list, get, set, unset, edit, diff, explain],
})

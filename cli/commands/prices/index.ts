// `weir prices …`: prices of models.
import { group } from '../../command.ts'
import { history, ls, missing, remove, set, undo } from './look.ts'
import { preview, sync } from './sync.ts'
import { words } from '../../texts.ts'

export const prices = group({
  name: 'prices',
  summary: words('Prices of models'),
  commands: [ls, set, remove, missing, history, undo, preview, sync],
})

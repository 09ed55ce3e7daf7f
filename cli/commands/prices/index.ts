// `weir prices …`: prices of models.
import { words } from '../../../core/errors.ts'
import { group } from '../../command.ts'
import { history, ls, missing, remove, set, undo } from './look.ts'
import { preview, sync } from './sync.ts'

export const prices = group({
  name: 'prices',
  summary: words('Prices of models', '模型价格'),
  commands: [ls, set, remove, missing, history, undo, preview, sync],
})

// `weir tokens …`: API keys of the signed-in user; on the host those of the super administrator.
import { words } from '../../../core/errors.ts'
import { group } from '../../command.ts'
import { add, edit, remove, switches } from './change.ts'
import { env, list, show } from './look.ts'

export const tokens = group({
  name: 'tokens',
  summary: words('API keys', 'API 令牌'),
  commands: [list, show, add, edit, ...switches, env, remove],
})

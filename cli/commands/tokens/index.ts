// `weir tokens …`: API keys of the signed-in user; on the host those of the super administrator.
import { group } from '../../command.ts'
import { add, edit, remove, switches } from './change.ts'
import { env, list, show } from './look.ts'
import { words } from '../../texts.ts'

export const tokens = group({
  name: 'tokens',
  summary: words('API keys'),
  commands: [list, show, add, edit, ...switches, env, remove],
})

import { text } from '../../data/texts.tsx'

// Uses of a key: ready configurations for every client, and a test call.
import { IconKey } from '@douyinfe/semi-icons'
import { declareScreen } from '../screen.ts'

export const declaration = declareScreen({
  path: ['/keys', '/keys/:id'],
  title: text('Use a key'),
  icon: IconKey,
  access: 'user',
  load: () => import('./page.tsx').then(({ Page }) => Page),
})

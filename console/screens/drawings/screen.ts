import { text } from '../../data/texts.tsx'

// The drawing log: of all users for administrators, otherwise the user's own.
import { IconImage } from '@douyinfe/semi-icons'
import { declareScreen } from '../screen.ts'

export const declaration = declareScreen({
  path: '/midjourney',
  title: text('Drawing log'),
  icon: IconImage,
  access: 'user',
  go: 'i',
  menu: { group: 'console', order: 40, shownWhen: ({ enable_drawing }) => enable_drawing },
  load: () => import('./page.tsx').then(({ Page }) => Page),
})

import { LONG_TEXT, ignore, definePreviews } from '../parts-page/states.ts'
import { Button } from '../semi.ts'
import { opensMenu, type MenuItem } from './menu.tsx'

const item = (key: string, more: Partial<MenuItem> = {}): MenuItem => ({ key, label: key, run: ignore, ...more })
const opens = (...items: MenuItem[]) => <Button {...opensMenu('Acts', () => items)}>Open</Button>

export const previews = definePreviews({
  acts: () =>
    opens(
      item('Edit'),
      item('Disable', { disabled: 'It is disabled' }),
      item('Delete', { danger: true, divider: true }),
    ),
  'one that is chosen': () => opens(item('English', { chosen: true }), item('Chinese', { chosen: false })),
  'long text': () => opens(item(LONG_TEXT)),
})

import { useText } from '../../data/texts.tsx'

// The actions on an item: the main one as a button, the others in a menu.
import { IconMore } from '@douyinfe/semi-icons'
import { buildMenuAttributes } from '../overlay/menu.tsx'
import type { RowActions } from './column.ts'

export function ActionButtons({ actions: { verb, more }, name }: { actions: RowActions; name: string }) {
  const t = useText()
  const label = t('More for {name}', { name })
  return (
    <>
      {verb && (
        <button type="button" className="plain-button" disabled={verb.disabled !== undefined} onClick={verb.run}>
          {verb.label}
        </button>
      )}
      {more.length > 0 && (
        <button
          type="button"
          className="plain-button more-button"
          aria-label={label}
          {...buildMenuAttributes(label, () => more)}
        >
          <IconMore aria-hidden />
        </button>
      )}
    </>
  )
}

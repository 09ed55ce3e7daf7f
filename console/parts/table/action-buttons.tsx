// The actions on an item: the main one as a button, the others in a menu.
import { IconMore } from '@douyinfe/semi-icons'
import { fillPhrase, useTexts } from '../../data/texts.tsx'
import { opensMenu } from '../menu.tsx'
import type { RowActions } from './column.ts'
import { words } from './texts.ts'

export function ActionButtons({ actions: { verb, more }, name }: { actions: RowActions; name: string }) {
  const t = useTexts(words)
  const label = fillPhrase(t.moreOf, { name })
  return (
    <>
      {verb && (
        <button type="button" className="plain-button" disabled={verb.disabled !== undefined} onClick={verb.run}>
          {verb.label}
        </button>
      )}
      {more.length > 0 && (
        <button type="button" className="plain-button more-button" aria-label={label} {...opensMenu(label, () => more)}>
          <IconMore aria-hidden />
        </button>
      )}
    </>
  )
}

// The command palette and the list of shortcuts, each loaded on first use, and the keys that open them.
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { useSignedInUser } from '../data/session.tsx'
import { isAnythingOpen } from '../parts/overlay/top-layer.ts'
import type { ScreenDeclaration } from '../screens/screen.ts'
import { onShowView, showPalette, showShortcutList, showTerminal, type PaletteView } from '../parts/commands.ts'
import { describeKeyPress, buildShortcuts } from './shortcuts.ts'
import { isTyping } from './typing.ts'

const Palette = lazy(() => import('./palette.tsx').then(({ CommandPalette: Palette }) => ({ default: Palette })))
const ShortcutList = lazy(() => import('./shortcut-list.tsx').then(({ ShortcutList }) => ({ default: ShortcutList })))

const Terminal = lazy(() => import('./terminal.tsx').then(({ WebTerminal: Terminal }) => ({ default: Terminal })))

/** Maximum time between two keys of one shortcut, in ms. */
const PATIENCE = 1200

export function CommandViews({ screens }: { screens: ScreenDeclaration[] }) {
  const navigate = useNavigate()
  const { user, isAdmin } = useSignedInUser()
  const [shown, setShown] = useState<PaletteView | null>(null)
  const shortcuts = useMemo(
    () =>
      buildShortcuts({
        screens: screens.filter(
          ({ access }) => access === 'public' || (user !== null && (access === 'user' || isAdmin)),
        ),
        go: (path) => void navigate(path),
        showPalette,
        showShortcuts: showShortcutList,
        showTerminal,
      }),
    [screens, navigate, user, isAdmin],
  )
  useEffect(() => onShowView(setShown), [])
  const first = useRef({ key: '', until: 0 })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const key = describeKeyPress(event)
      if (event.defaultPrevented || event.isComposing || isAnythingOpen() || isInMenu(event)) return
      if (isTyping(event) && key !== 'Mod+k') return
      const before = Date.now() < first.current.until ? first.current.key : ''
      const found =
        shortcuts.find(({ keys }) => keys.length === 2 && keys[0] === before && keys[1] === key) ??
        shortcuts.find(({ keys }) => keys.length === 1 && keys[0] === key)
      const begins = shortcuts.some(({ keys }) => keys.length === 2 && keys[0] === key)
      first.current = { key: begins && !found ? key : '', until: Date.now() + PATIENCE }
      // On a focused button or link, Enter activates that element.
      if (!found?.run || (key === 'Enter' && document.activeElement?.matches('tr, li') !== true)) return
      event.preventDefault()
      found.run()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [shortcuts])
  const close = () => setShown(null)
  return (
    <Suspense>
      {shown === 'palette' && <Palette screens={screens} onClose={close} />}
      {shown === 'shortcuts' && <ShortcutList shortcuts={shortcuts} onClose={close} />}
      {shown === 'terminal' && <Terminal onClose={close} />}
    </Suspense>
  )
}

const isInMenu = ({ target }: Event) => target instanceof Element && target.closest('[role=menu]') !== null

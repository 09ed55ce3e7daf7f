// Shows the short messages of the console: one per distinct text, removed after a time or on a click. A message with
// 'Undo' is separate each time, even with the same text.
import { IconAlertTriangle, IconClose, IconInfoCircle, IconTickCircle } from '@douyinfe/semi-icons'
import { useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { onShownNotice, type ToastNotice, type ToastKind } from '../data/notify.ts'
import { useText } from '../data/texts.tsx'
import { useTopLayer } from '../parts/overlay/top-layer.ts'
import { Button } from '../semi.ts'
import { isTyping } from './typing.ts'

const seconds: Record<ToastKind, number> = { success: 3, info: 4, warning: 8, error: 10 }
const UNDO_SECONDS = 8

const icons: Record<ToastKind, React.ReactNode> = {
  success: <IconTickCircle aria-hidden />,
  info: <IconInfoCircle aria-hidden />,
  warning: <IconAlertTriangle aria-hidden />,
  error: <IconAlertTriangle aria-hidden />,
}

type ShownNotice = ToastNotice & { key: string; until: number }

export function NoticeToaster() {
  const t = useText()
  const layer = useTopLayer()
  const [shown, setShown] = useState<ShownNotice[]>([])
  const current = useRef(shown)
  const undoCount = useRef(0)
  const put = (next: ShownNotice[]) => setShown((current.current = next))
  /** Removes messages and reports to each how it ended. */
  const end = (which: (notice: ShownNotice) => boolean, how: 'undo' | 'done' = 'done') => {
    const ended = current.current.filter(which)
    put(current.current.filter((notice) => !ended.includes(notice)))
    for (const { way } of ended) way?.[how]?.()
  }
  const drop = (target: string, how?: 'undo') => end(({ key }) => key === target, how)
  useEffect(
    () =>
      onShownNotice((notice) => {
        const key = notice.way ? `undo ${(undoCount.current += 1)}` : `${notice.kind}:${notice.text}`
        const until = Date.now() + (notice.way ? UNDO_SECONDS : seconds[notice.kind]) * 1000
        put([...current.current.filter((other) => other.key !== key), { ...notice, key, until }])
      }),
    [],
  )
  useEffect(() => {
    const next = Math.min(...shown.map(({ until }) => until))
    if (!Number.isFinite(next)) return
    const timer = setTimeout(() => end(({ until }) => until <= Date.now()), Math.max(0, next - Date.now()) + 10)
    return () => clearTimeout(timer)
  }, [shown])
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isUndo = event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey
      const last = current.current.findLast(({ way }) => way !== undefined)
      // In a text field, Ctrl+Z undoes typing.
      if (!isUndo || !last || isTyping(event)) return
      event.preventDefault()
      drop(last.key, 'undo')
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
  return createPortal(
    <div className="toasts">
      {shown.map(({ key, kind, text, way }) => (
        <div key={key} className={`toast toast-${kind}`} role={kind === 'error' ? 'alert' : 'status'}>
          {icons[kind]}
          <span className={way && !way.isSentence ? 'toast-text toast-name' : 'toast-text'}>{text}</span>
          {way && (
            <Button
              theme="light"
              size="small"
              aria-keyshortcuts="Control+Z Meta+Z"
              data-tip={t('Ctrl+Z or ⌘Z')}
              onClick={() => drop(key, 'undo')}
            >
              {t('Undo')}
            </Button>
          )}
          <Button
            theme="borderless"
            type="tertiary"
            size="small"
            icon={<IconClose aria-hidden size="small" />}
            aria-label={t('Dismiss')}
            onClick={() => drop(key)}
          />
        </div>
      ))}
    </div>,
    layer,
  )
}

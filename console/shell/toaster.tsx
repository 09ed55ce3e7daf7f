// Shows the short messages of the console in one box: the newest, with those that came together with it. Each is removed
// after a time or on a click; an older one that still counts is shown again. A message with 'Undo' is separate each
// time, even with the same text.
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
/** Messages within this time, in ms, are shown together. */
const TOGETHER_MS = 1000

const icons: Record<ToastKind, React.ReactNode> = {
  success: <IconTickCircle aria-hidden />,
  info: <IconInfoCircle aria-hidden />,
  warning: <IconAlertTriangle aria-hidden />,
  error: <IconAlertTriangle aria-hidden />,
}

type ShownNotice = ToastNotice & { key: string; at: number; until: number }

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
        const at = Date.now()
        const until = at + (notice.way ? UNDO_SECONDS : seconds[notice.kind]) * 1000
        put([...current.current.filter((other) => other.key !== key), { ...notice, key, at, until }])
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
  const newest = shown.at(-1)
  const isTogether = (notice: ShownNotice) =>
    notice === newest || (newest !== undefined && !notice.way && !newest.way && newest.at - notice.at < TOGETHER_MS)
  const { key = '', kind = 'info', way } = newest ?? {}
  return createPortal(
    <div className="toasts">
      {newest && (
        <div key={key} className={`toast toast-${kind}`} role={kind === 'error' ? 'alert' : 'status'}>
          {icons[kind]}
          <div className="toast-lines">
            {shown.filter(isTogether).map((notice) => (
              <span
                key={notice.key}
                className={notice.way && !notice.way.isSentence ? 'toast-text toast-name' : 'toast-text'}
              >
                {notice.text}
              </span>
            ))}
          </div>
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
            onClick={() => end(isTogether)}
          />
        </div>
      )}
    </div>,
    layer,
  )
}

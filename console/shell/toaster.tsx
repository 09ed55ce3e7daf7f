// Shows the short messages that any part of the console sends: one for each distinct text, gone by itself or on a click.
import { IconAlertTriangle, IconClose, IconInfoCircle, IconTickCircle } from '@douyinfe/semi-icons'
import { useEffect, useState } from 'react'
import { onNotice, type Notice, type NoticeKind } from '../data/notify.ts'
import { useTexts } from '../data/texts.tsx'
import { Button } from '../semi.ts'
import { words } from './texts.ts'

const seconds: Record<NoticeKind, number> = { success: 3, info: 4, warning: 8, error: 10 }

const icons: Record<NoticeKind, React.ReactNode> = {
  success: <IconTickCircle aria-hidden />,
  info: <IconInfoCircle aria-hidden />,
  warning: <IconAlertTriangle aria-hidden />,
  error: <IconAlertTriangle aria-hidden />,
}

type Shown = Notice & { key: string; until: number }

export function Toaster() {
  const t = useTexts(words)
  const [shown, setShown] = useState<Shown[]>([])
  const drop = (key: string) => setShown((old) => old.filter((notice) => notice.key !== key))
  useEffect(
    () =>
      onNotice((notice) => {
        const key = `${notice.kind}:${notice.text}`
        const until = Date.now() + seconds[notice.kind] * 1000
        setShown((old) => [...old.filter((other) => other.key !== key), { ...notice, key, until }])
      }),
    [],
  )
  useEffect(() => {
    const next = Math.min(...shown.map(({ until }) => until))
    if (!Number.isFinite(next)) return
    const timer = setTimeout(
      () => setShown((old) => old.filter(({ until }) => until > Date.now())),
      Math.max(0, next - Date.now()) + 10,
    )
    return () => clearTimeout(timer)
  }, [shown])
  return (
    <div className="toasts">
      {shown.map(({ key, kind, text }) => (
        <div key={key} className={`toast toast-${kind}`} role={kind === 'error' ? 'alert' : 'status'}>
          {icons[kind]}
          <span className="toast-text">{text}</span>
          <Button
            theme="borderless"
            type="tertiary"
            size="small"
            icon={<IconClose aria-hidden size="small" />}
            aria-label={t.dismiss}
            onClick={() => drop(key)}
          />
        </div>
      ))}
    </div>
  )
}

// A service that the browser is sent to, and that returns it with a code to the screen of `/oauth/{type}`.
import { useText } from '../../data/texts.tsx'
import { useRedirect } from '../../data/use-redirect.ts'
import { Button } from '../../semi.ts'
import type { WayProps } from './way.ts'

export function RedirectWay({ type, name, from }: WayProps) {
  const t = useText()
  const [leave, busy] = useRedirect(type, from)
  return (
    <Button block size="large" disabled={busy} onClick={() => void leave()}>
      {t('Continue with {name}', { name })}
    </Button>
  )
}

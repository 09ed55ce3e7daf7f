// A service that the browser is sent to, and that returns it with a code to the screen of `/oauth/{type}`.
import { rememberConsolePath } from '../../data/base.ts'
import { apiClient } from '../../data/client.ts'
import { useAction } from '../../data/use-endpoint.ts'
import { useText } from '../../data/texts.tsx'
import { Button } from '../../semi.ts'
import { getInviter } from './inviter.ts'
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

/**
 * Sends the browser to a service to sign in, or to bind it to the signed-in user.
 * @param from the page to open afterwards
 */
export const useRedirect = (type: string, from?: string) =>
  useAction(async () => {
    const { url } = await apiClient.auth.oauthStart({ type, ...getInviter() })
    if (from) rememberConsolePath(from)
    window.location.assign(url)
  })

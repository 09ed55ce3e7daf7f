// Leaves for a sign-in service, which sends the browser back to the screen of `/oauth/{type}`.
import { rememberConsolePath } from './base.ts'
import { apiClient } from './client.ts'
import { getInviter } from './inviter.ts'
import { useAction } from './use-endpoint.ts'

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

// Banners over every page while the connection to the server has a problem. Data stays visible, and only the user
// reloads the page; a dialog with input is above the banner and can be finished first.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useConnection } from '../data/connection.ts'
import '../data/older-policy.ts'
import { RequestFailure } from '../data/client.ts'
import { refreshServerStatus } from '../data/status.ts'
import { useText } from '../data/texts.tsx'
import { Button } from '../semi.ts'
/** Interval of checks of the server, in ms, while it is reachable and while it is not. */
const LOOK = 300_000
const LOOK_AGAIN = 4_000

export function ConnectionBanners() {
  const t = useText()
  const { lost, outdated, forbidding, missing } = useConnection()
  useLooking(lost, missing === 'unknown')
  const isIncomplete = missing === 'unreachable'
  return (
    <>
      {lost && (
        <div className="banner banner-warns" role="alert">
          {t('The server cannot be reached. The page may be out of date; it is reloaded once the server is back.')}
        </div>
      )}
      {(outdated || forbidding || isIncomplete) && !lost && (
        <div className="banner" role="status">
          <span>
            {outdated
              ? t('Weir was upgraded. Reload this page to use the new version.')
              : forbidding
                ? t('The settings of this site were changed. Reload this page to use them.')
                : t('A part of this page could not be loaded. Reload the page to use it.')}
          </span>
          <Button size="small" theme="solid" onClick={() => window.location.reload()}>
            {t('Reload')}
          </Button>
        </div>
      )}
    </>
  )
}

/**
 * Checks whether the server is reachable and its version, and at once if a file is missing. Once it is back, the shown
 * data is read again.
 */
function useLooking(lost: boolean, isFileMissing: boolean) {
  const queries = useQueryClient()
  const was = useRef(lost)
  useEffect(() => {
    const look = () =>
      void refreshServerStatus().catch((error: unknown) => {
        if (!(error instanceof RequestFailure)) throw error
      })
    if (was.current && !lost) {
      void queries.invalidateQueries()
      // The server may have been upgraded while it was unreachable, and the request that first reached it need not
      // report the version.
      look()
    }
    was.current = lost
    if (isFileMissing) look()
    const onVisible = () => document.visibilityState === 'visible' && look()
    const timer = setInterval(look, lost ? LOOK_AGAIN : LOOK)
    window.addEventListener('online', look)
    document.addEventListener('visibilitychange', onVisible)
    return () => {
      clearInterval(timer)
      window.removeEventListener('online', look)
      document.removeEventListener('visibilitychange', onVisible)
    }
  }, [lost, isFileMissing, queries])
}

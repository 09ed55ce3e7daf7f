// What stands over every page while something is wrong between it and its server. What is shown stays; nothing is loaded anew
// but by the person: a dialog with something typed lies over the banner, and is finished first.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useConnection } from '../data/connection.ts'
import '../data/older-policy.ts'
import { RequestFailure } from '../data/client.ts'
import { refreshStatus } from '../data/status.ts'
import { useTexts } from '../data/texts.tsx'
import { Button } from '../semi.ts'
import { words } from './texts.ts'

/** Ms between two looks at the server, where it is there, and where it is not. */
const LOOK = 300_000
const LOOK_AGAIN = 4_000

export function Banners() {
  const t = useTexts(words)
  const { lost, outdated, forbidding } = useConnection()
  useLooking(lost)
  return (
    <>
      {lost && (
        <div className="banner banner-warns" role="alert">
          {t.offline}
        </div>
      )}
      {(outdated || forbidding) && !lost && (
        <div className="banner" role="status">
          <span>{outdated ? t.outdated : t.forbidding}</span>
          <Button size="small" theme="solid" onClick={() => window.location.reload()}>
            {t.reload}
          </Button>
        </div>
      )}
    </>
  )
}

/** Looks whether the server is there, and of which version; once it is back, what is shown is read again. */
function useLooking(lost: boolean) {
  const queries = useQueryClient()
  const was = useRef(lost)
  useEffect(() => {
    const look = () =>
      void refreshStatus().catch((error: unknown) => {
        if (!(error instanceof RequestFailure)) throw error
      })
    if (was.current && !lost) {
      void queries.invalidateQueries()
      // It may have been away in order to be upgraded, and whoever noticed first that it is back need not have asked which it is.
      look()
    }
    was.current = lost
    const seen = () => document.visibilityState === 'visible' && look()
    const timer = setInterval(look, lost ? LOOK_AGAIN : LOOK)
    window.addEventListener('online', look)
    document.addEventListener('visibilitychange', seen)
    return () => {
      clearInterval(timer)
      window.removeEventListener('online', look)
      document.removeEventListener('visibilitychange', seen)
    }
  }, [lost, queries])
}

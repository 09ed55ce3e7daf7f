// Comes back from a service with its code: signs in, or binds the account of who is signed in.
import { useEffect, useRef } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { rememberedPage } from '../../data/base.ts'
import { client, RequestFailure, SECOND_STEP } from '../../data/client.ts'
import { notify } from '../../data/notify.ts'
import { useSession } from '../../data/session.tsx'
import { telegramAsked } from '../../data/telegram.ts'
import { useTexts } from '../../data/texts.tsx'
import { LoadingIndicator } from '../../parts/waiting.tsx'
import { words } from './texts.ts'

/** With a code that the service knows. */
const coded = (type: string, query: URLSearchParams) => ({
  come: client.auth.oauth({ type, code: query.get('code') ?? '', state: query.get('state') ?? '' }),
  home: '/token',
})

/** With all that Telegram has signed; from a button of this window alone. */
function signed(_type: string, query: URLSearchParams, isSignedIn: boolean) {
  const { state, ...fields } = Object.fromEntries(query)
  const enter = isSignedIn ? client.auth.telegramBind : client.auth.telegram
  return { come: telegramAsked(state) ? enter(fields) : Promise.reject(new Unasked()), home: '/' }
}

/** Where binding leads. */
const BOUND = '/setting'

/** Somebody else has sent the browser here. */
class Unasked extends Error {}

export function Page() {
  const t = useTexts(words)
  const { type = '' } = useParams()
  const [query] = useSearchParams()
  const navigate = useNavigate()
  const session = useSession()
  const begun = useRef(false)
  useEffect(() => {
    // A code is good for one use.
    if (begun.current) return
    begun.current = true
    const go = (path: string, state?: object) => void navigate(path, { replace: true, state })
    const isSignedIn = session.user !== null
    const { come, home } = (type === 'telegram' ? signed : coded)(type, query, isSignedIn)
    come.then(
      ({ data }) => {
        notify.success(data ? t.done : t.bound)
        if (data) session.begin(data)
        // Who is no administrator goes on from there to the personal settings.
        go(data ? (rememberedPage() ?? home) : BOUND)
      },
      (error: unknown) => {
        if (!(error instanceof RequestFailure || error instanceof Unasked)) throw error
        if (error instanceof RequestFailure && error.code === SECOND_STEP) return go('/login', { code: true })
        notify.error(isSignedIn ? t.failedBound : t.failed)
        go(isSignedIn ? BOUND : '/login')
      },
    )
  }, [type, query, navigate, session, t])
  return <LoadingIndicator />
}

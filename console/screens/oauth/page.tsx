// The return from a service with its code: signs in, or binds the service to the signed-in user.
import { useEffect, useRef } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { takeRememberedPage } from '../../data/base.ts'
import { apiClient, RequestFailure, SECOND_STEP_CODE } from '../../data/client.ts'
import { showNotice } from '../../data/notify.ts'
import { useSignedInUser } from '../../data/session.tsx'
import { acceptTelegramReturn } from '../../data/telegram.ts'
import { useText } from '../../data/texts.tsx'
import { LoadingIndicator } from '../../parts/status/waiting.tsx'
/** Sends the code of the service. */
const sendCode = (type: string, query: URLSearchParams) => ({
  come: apiClient.auth.oauth({ type, code: query.get('code') ?? '', state: query.get('state') ?? '' }),
  home: '/token',
})

/** Sends all that Telegram has signed, if the request came from this window. */
function sendSignedData(_type: string, query: URLSearchParams, isSignedIn: boolean) {
  const { state, ...fields } = Object.fromEntries(query)
  const enter = isSignedIn ? apiClient.auth.telegramBind : apiClient.auth.telegram
  return { come: acceptTelegramReturn(state) ? enter(fields) : Promise.reject(new UnexpectedReturn()), home: '/' }
}

/** The page after binding. */
const BOUND = '/setting'

/** Another site has sent the browser here. */
class UnexpectedReturn extends Error {}

export function Page() {
  const t = useText()
  const { type = '' } = useParams()
  const [query] = useSearchParams()
  const navigate = useNavigate()
  const session = useSignedInUser()
  const hasStarted = useRef(false)
  useEffect(() => {
    // A code can be used once.
    if (hasStarted.current) return
    hasStarted.current = true
    const go = (path: string, state?: object) => void navigate(path, { replace: true, state })
    const isSignedIn = session.user !== null
    const { come, home } = (type === 'telegram' ? sendSignedData : sendCode)(type, query, isSignedIn)
    come.then(
      ({ data }) => {
        showNotice.success(data ? t('login success') : t('binding success'))
        if (data) session.begin(data)
        // From there, users who are not administrators are redirected to their personal settings.
        go(data ? (takeRememberedPage() ?? home) : BOUND)
      },
      (error: unknown) => {
        if (!(error instanceof RequestFailure || error instanceof UnexpectedReturn)) throw error
        if (error instanceof RequestFailure && error.code === SECOND_STEP_CODE) return go('/login', { code: true })
        showNotice.error(isSignedIn ? t('operation failed') : t('operation failed, redirecting to login'))
        go(isSignedIn ? BOUND : '/login')
      },
    )
  }, [type, query, navigate, session, t])
  return <LoadingIndicator />
}

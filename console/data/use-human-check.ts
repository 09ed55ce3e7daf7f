// Turnstile, which shows that a human is making the request, if the site requires it. The server verifies the token.
import { useCallback, useEffect, useRef, useState } from 'react'
import { foreignScriptOrigins } from '../../core/contract/frames.ts'
import { showNotice } from './notify.ts'
import { useThemeMode } from './preferences.ts'
import { useServerStatus } from './status.ts'
import { useLanguage, useText } from './texts.tsx'

// Loads a script of another site from its declared address. The policy of the page allows it only if its setting was on
// when the page was loaded.
interface ScriptPlace {
  into?: HTMLElement
  attributes?: Record<string, string>
}

/** @throws Error if it cannot be loaded, or is not allowed here */
export const loadForeignScript = (
  address: string,
  { into = document.head, attributes = {} }: ScriptPlace = {},
): Promise<void> =>
  new Promise((resolve, reject) => {
    const script = document.createElement('script')
    for (const [name, value] of Object.entries(attributes)) script.setAttribute(name, value)
    script.async = true
    script.src = address
    script.addEventListener('load', () => resolve())
    script.addEventListener('error', () => reject(new Error(`${address} could not be loaded`)))
    into.append(script)
  })

export const getUrlHost = (address: string): string => new URL(address).host

/** The global object that its script creates. */
interface Turnstile {
  render(box: HTMLElement, options: Record<string, unknown>): string
  reset(widget: string): void
  remove(widget: string): void
}
const turnstile = () => (window as { turnstile?: Turnstile }).turnstile

export interface HumanCheck {
  /** The site does not require a check. */
  off: boolean
  failed: boolean
  /** Receives the element for the widget, once it is rendered. */
  box(element: HTMLElement | null): void
  again(): void
  /**
   * Calls with a token, which is valid for one call, and then requests the next. While no token is available, asks the
   * user to wait and returns null. If the script could not be loaded, the call is made without a token and the server
   * decides.
   */
  withToken<T>(act: (token: string | undefined) => Promise<T>): Promise<T | null>
}

/** @param waiting text that is shown until the check has a token */
export function useHumanCheck(waiting?: string): HumanCheck {
  const t = useText()
  const { turnstile_check: isRequired, turnstile_site_key: sitekey } = useServerStatus()
  const { language } = useLanguage()
  const theme = useThemeMode()
  const [box, setBox] = useState<HTMLElement | null>(null)
  const [tries, setTries] = useState(0)
  const [failed, setFailed] = useState(false)
  const token = useRef('')
  const widget = useRef<string>(undefined)
  useEffect(() => {
    if (!box || !isRequired) return
    let gone = false
    setFailed(false)
    const options = {
      sitekey,
      theme,
      language: language === 'zh' ? 'zh-cn' : 'en',
      callback: (given: string) => {
        token.current = given
        setFailed(false)
      },
      'expired-callback': () => void (token.current = ''),
      // Turnstile retries automatically.
      'error-callback': () => {
        setFailed(true)
        return true
      },
    }
    loadTurnstile()
      .then((api) => {
        if (!gone) widget.current = api.render(box, options)
      })
      .catch(() => {
        if (!gone) setFailed(true)
      })
    return () => {
      gone = true
      token.current = ''
      if (widget.current !== undefined) turnstile()?.remove(widget.current)
      widget.current = undefined
    }
  }, [box, isRequired, sitekey, theme, language, tries])
  return {
    off: !isRequired,
    failed,
    box: setBox,
    again: useCallback(() => setTries((count) => count + 1), []),
    async withToken(act) {
      if (isRequired && !failed && token.current === '') {
        showNotice.info(waiting ?? t('wait a few seconds, Turnstile is checking'))
        return null
      }
      try {
        return await act(token.current || undefined)
      } finally {
        token.current = ''
        if (widget.current !== undefined) turnstile()?.reset(widget.current)
      }
    },
  }
}

/** @throws Error */
async function loadTurnstile(): Promise<Turnstile> {
  if (!turnstile()) await loadForeignScript(foreignScriptOrigins.turnstile.address)
  const api = turnstile()
  if (!api) throw new Error('The script of the human check left nothing behind')
  return api
}

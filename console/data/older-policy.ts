// A page has the policy that it came with. What the settings have allowed since then, such as the script of a human check or a
// chat in a frame, its browser still forbids: then it is loaded anew.
import { noteForbidden } from './connection.ts'

/** What the settings open the policy for. */
const OPENED = ['script-src-elem', 'script-src', 'frame-src', 'form-action']

const KEY = 'loaded_anew'
/** Ms within which a page that was loaded anew is not so again: it is forbidden all the same. */
const ONCE_IN = 60_000

document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
  if (!OPENED.includes(effectiveDirective) || !blockedURI.startsWith('http')) return
  const last = Number(sessionStorage.getItem(KEY) ?? 0)
  // Who sends a form has begun something; who has typed would lose it. They are asked.
  if (effectiveDirective === 'form-action' || isTyped() || Date.now() - last < ONCE_IN) return noteForbidden()
  sessionStorage.setItem(KEY, String(Date.now()))
  window.location.reload()
})

/** Has anything been filled in? What it was filled in with by the page counts, too: nothing is lost by asking. */
const isTyped = (): boolean =>
  [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')].some(
    ({ value, type }) => value !== '' && !['hidden', 'checkbox', 'radio'].includes(type),
  )

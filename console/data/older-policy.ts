// A page keeps the policy that it was loaded with. If its browser blocks what the settings have allowed since, such as
// the script of a human check or a chat in a frame, the page is reloaded.
import { noteForbidden } from './connection.ts'

/** Directives of the policy that settings can extend. */
const OPENED = ['script-src-elem', 'script-src', 'frame-src', 'form-action']

const KEY = 'loaded_anew'
/** A page is not reloaded again within this time, in ms: it would be blocked all the same. */
const ONCE_IN = 60_000

document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
  if (!OPENED.includes(effectiveDirective) || !blockedURI.startsWith('http')) return
  const last = Number(sessionStorage.getItem(KEY) ?? 0)
  // A user who is sending a form or has typed something would lose it, so the page asks first.
  if (effectiveDirective === 'form-action' || isTyped() || Date.now() - last < ONCE_IN) return noteForbidden()
  sessionStorage.setItem(KEY, String(Date.now()))
  window.location.reload()
})

/** Returns whether any field is filled in. Values that the page filled in count as well: asking loses nothing. */
const isTyped = (): boolean =>
  [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')].some(
    ({ value, type }) => value !== '' && !['hidden', 'checkbox', 'radio'].includes(type),
  )

// Whether this page is in a frame, and whether it is shown without bars, for its whole life.

/** True if another page shows this one in a frame. */
export const isFramed: boolean = window.parent !== window

const KEY = 'embed'

/** `?embed=1`: without top bar, menu and footer. In a frame this stays in effect on every further page. */
export const isBare: boolean = (() => {
  const requested = new URLSearchParams(window.location.search).get('embed')
  if (!isFramed) return requested === '1'
  if (requested !== null) sessionStorage.setItem(KEY, requested)
  return sessionStorage.getItem(KEY) === '1'
})()

/** The origin of the surrounding page: messages are sent to it alone. undefined if the browser does not report it. */
export function findParentOrigin(): string | undefined {
  const [parent] = 'ancestorOrigins' in window.location ? [...window.location.ancestorOrigins] : []
  if (parent) return parent
  return document.referrer ? new URL(document.referrer).origin : undefined
}

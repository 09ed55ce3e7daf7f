// Whether this page stands in a frame, and whether it is to be shown without bars, for its whole life.

/** Another page shows this one in a frame. */
export const isFramed: boolean = window.parent !== window

const KEY = 'embed'

/** `?embed=1`: without top bar, menu and footer. In a frame that stays so, wherever one goes in it. */
export const isBare: boolean = (() => {
  const asked = new URLSearchParams(window.location.search).get('embed')
  if (!isFramed) return asked === '1'
  if (asked !== null) sessionStorage.setItem(KEY, asked)
  return sessionStorage.getItem(KEY) === '1'
})()

/** The origin of the page around this one: what is said is said to it alone. Undefined where the browser does not tell. */
export function originAround(): string | undefined {
  const [parent] = 'ancestorOrigins' in window.location ? [...window.location.ancestorOrigins] : []
  if (parent) return parent
  return document.referrer ? new URL(document.referrer).origin : undefined
}

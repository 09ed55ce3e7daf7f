// The calls that this page has made, to be shown as command lines: the last read of each endpoint and every change, by
// the page that was open.
export interface CallMade {
  page: string
  name: string
  input: Readonly<Record<string, unknown>>
  isChange: boolean
}

const MOST = 60
let made: readonly CallMade[] = []

/** Calls that are not shown: signing in and out, and the calls of the frame around every page. */
const UNTOLD = /^(auth\.|devices\.|search\.|site\.(status|setup))/

export function noteCall(name: string, method: string, input: Readonly<Record<string, unknown>>): void {
  if (UNTOLD.test(name)) return
  const page = window.location.pathname
  const isChange = method !== 'GET'
  const others = isChange ? made : made.filter((each) => each.isChange || each.page !== page || each.name !== name)
  made = [...others, { page, name, input, isChange }].slice(-MOST)
}

/** Returns the calls of the open page. */
export const listPageCalls = (): CallMade[] => made.filter(({ page }) => page === window.location.pathname)

// What this page has asked of the server, so that it can be said as command lines: the last reading of each endpoint, and every
// change, by the page that was open then.
export interface CallMade {
  page: string
  name: string
  input: Readonly<Record<string, unknown>>
  isChange: boolean
}

const MOST = 60
let made: readonly CallMade[] = []

/** Who signs in or out does that here; and what stands around every page is nothing of its own. */
const UNTOLD = /^(auth\.|devices\.|search\.|site\.(status|setup))/

export function noteCall(name: string, method: string, input: Readonly<Record<string, unknown>>): void {
  if (UNTOLD.test(name)) return
  const page = window.location.pathname
  const isChange = method !== 'GET'
  const others = isChange ? made : made.filter((each) => each.isChange || each.page !== page || each.name !== name)
  made = [...others, { page, name, input, isChange }].slice(-MOST)
}

/** Those of the page that is open. */
export const callsOfPage = (): CallMade[] => made.filter(({ page }) => page === window.location.pathname)

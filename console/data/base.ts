// The path the console is mounted under, taken from <base>; every address starts from it.

const basePath = new URL(document.baseURI).pathname.replace(/\/[^/]*$/, '')

/** For the router: '' at the root, '/weir' under a mount. */
export const routerBasePath = basePath || '/'

/** An address of this server, from a path that starts with a slash. */
export const toServerAddress = (path: string) => `${basePath}${path}`

const RETURN_TO = 'return_to'

/** Remembers this page for the time after signing in; only in this window, where no link can put anything. */
export const rememberCurrentPage = () => {
  const { pathname, search } = window.location
  const path = pathname.slice(basePath.length)
  // If several calls are refused at once, the first of them has already led to the login.
  if (path !== '/login') rememberConsolePath(path + search)
}

/** Remembers another path of the console. */
export const rememberConsolePath = (path: string) => sessionStorage.setItem(RETURN_TO, path)

/** Returns the remembered page, and forgets it. */
export function takeRememberedPage(): string | null {
  const path = sessionStorage.getItem(RETURN_TO)
  sessionStorage.removeItem(RETURN_TO)
  return path
}

/** Leaves the running page for another path of the console with a full reload. */
export const loadConsolePath = (path: string) => window.location.assign(toServerAddress(path))

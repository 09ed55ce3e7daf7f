// The path the console is mounted under, taken from <base>; every address starts from it.

const basePath = new URL(document.baseURI).pathname.replace(/\/[^/]*$/, '')

/** For the router: '' at the root, '/weir' under a mount. */
export const routerBase = basePath || '/'

/** An address of this server, from a path that starts with a slash. */
export const address = (path: string) => `${basePath}${path}`

const RETURN_TO = 'return_to'

/** Remembers this page, for who has to sign in again first; in this window alone, where no link can put anything. */
export const rememberPage = () => {
  const { pathname, search } = window.location
  const path = pathname.slice(basePath.length)
  // Several calls are refused at once: the first of them has led to the login already.
  if (path !== '/login') rememberPath(path + search)
}

/** The same of a path of the console. */
export const rememberPath = (path: string) => sessionStorage.setItem(RETURN_TO, path)

/** The page that was remembered, once. */
export function rememberedPage(): string | null {
  const path = sessionStorage.getItem(RETURN_TO)
  sessionStorage.removeItem(RETURN_TO)
  return path
}

/** Leaves the running page for another path of the console, so that everything starts anew. */
export const goTo = (path: string) => window.location.assign(address(path))

// The path the console is mounted under, taken from <base>; every address starts from it.

const basePath = new URL(document.baseURI).pathname.replace(/\/[^/]*$/, '')

/** For the router: '' at the root, '/weir' under a mount. */
export const routerBase = basePath || '/'

/** An address of this server, from a path that starts with a slash. */
export const address = (path: string) => `${basePath}${path}`

/** Leaves the running page for another path of the console, so that everything starts anew. */
export const goTo = (path: string) => window.location.assign(address(path))

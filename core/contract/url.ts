/** An address that others are put behind, as people type it: without the space around it and the slashes at its end. */
export const cleanBaseUrl = (typed: string): string => typed.trim().replace(/\/+$/, '')

const V1 = /\/v1\/*$/

/** Returns whether a base URL ends in `/v1`, which Weir adds itself. */
export const endsInV1 = (url: string): boolean => V1.test(url.trim())

/** Returns a base URL without the `/v1` at its end. */
export const removeV1Suffix = (url: string): string => url.trim().replace(V1, '')

/** Is it an address that begins with one of these protocols, such as `https`? */
export const isUrlWithProtocol = (text: string, protocols: readonly string[]): boolean =>
  URL.canParse(text) && protocols.some((protocol) => text.toLowerCase().startsWith(`${protocol}://`))

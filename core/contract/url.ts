/** Is it an address that begins with one of these protocols, such as `https`? */
export const isUrlWithProtocol = (text: string, protocols: readonly string[]): boolean =>
  URL.canParse(text) && protocols.some((protocol) => text.toLowerCase().startsWith(`${protocol}://`))

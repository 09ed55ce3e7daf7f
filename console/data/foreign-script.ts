// Loads a script of another site from its declared address. The policy of the page allows it only if its setting was on
// when the page was loaded.
interface Place {
  into?: HTMLElement
  attributes?: Record<string, string>
}

/** @throws Error if it cannot be loaded, or is not allowed here */
export const loadForeignScript = (
  address: string,
  { into = document.head, attributes = {} }: Place = {},
): Promise<void> =>
  new Promise((resolve, reject) => {
    const script = document.createElement('script')
    for (const [name, value] of Object.entries(attributes)) script.setAttribute(name, value)
    script.async = true
    script.src = address
    script.addEventListener('load', () => resolve())
    script.addEventListener('error', () => reject(new Error(`${address} could not be loaded`)))
    into.append(script)
  })

export const getHost = (address: string): string => new URL(address).host

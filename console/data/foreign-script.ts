// A script of somebody else, from where it is declared, in a place of the page. The policy that the page came with allows it only
// where its setting was on then.
interface Place {
  into?: HTMLElement
  attributes?: Record<string, string>
}

/** @throws Error where it cannot be loaded, or must not run here */
export const loadForeign = (address: string, { into = document.head, attributes = {} }: Place = {}): Promise<void> =>
  new Promise((resolve, reject) => {
    const script = document.createElement('script')
    for (const [name, value] of Object.entries(attributes)) script.setAttribute(name, value)
    script.async = true
    script.src = address
    script.addEventListener('load', () => resolve())
    script.addEventListener('error', () => reject(new Error(`${address} could not be loaded`)))
    into.append(script)
  })

export const hostOf = (address: string): string => new URL(address).host

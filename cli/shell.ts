// Lines that a shell can run to point a client at Weir.

/** How a shell sets a variable, and how it takes any text as one word. */
interface Shell {
  quote(text: string): string
  set(variables: Record<string, string>): string
}

/** What no shell reads as anything but itself. */
const PLAIN = /^[\w:,./-]+$/

const sh = (text: string) => (PLAIN.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)
const fish = (text: string) => (PLAIN.test(text) ? text : `'${text.replace(/[\\']/g, '\\$&')}'`)
// To PowerShell the typographic quotes end a text as well; a quote that is doubled is itself.
const powershell = (text: string) => `'${text.replace(/['‘’‚‛]/g, '$&$&')}'`

const each = (variables: Record<string, string>, one: (name: string, value: string) => string) =>
  Object.entries(variables).map(([name, value]) => one(name, value))

export const SHELLS = {
  sh: {
    quote: sh,
    set: (variables) => ['export', ...each(variables, (name, value) => `${name}=${sh(value)}`)].join(' '),
  },
  fish: {
    quote: fish,
    set: (variables) => each(variables, (name, value) => `set -gx ${name} ${fish(value)}`).join('; '),
  },
  powershell: {
    quote: powershell,
    set: (variables) => each(variables, (name, value) => `$env:${name} = ${powershell(value)}`).join('; '),
  },
} as const satisfies Record<string, Shell>
export type ShellName = keyof typeof SHELLS
export const shellNames = Object.keys(SHELLS) as ShellName[]

/** The shell that the command was started from, as far as its variables tell. */
export function shellOf({ SHELL = '', PSModulePath }: Record<string, string | undefined>): ShellName {
  if (/(^|\/)fish$/.test(SHELL)) return 'fish'
  return SHELL === '' && PSModulePath ? 'powershell' : 'sh'
}

/** The variables that each vendor's clients read, for a Weir at this address. */
export const CLIENTS = {
  openai: (key, address) => ({ OPENAI_API_KEY: key, OPENAI_BASE_URL: `${address}/v1` }),
  anthropic: (key, address) => ({ ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: address }),
  gemini: (key, address) => ({ GEMINI_API_KEY: key, GOOGLE_GEMINI_BASE_URL: address }),
} as const satisfies Record<string, (key: string, address: string) => Record<string, string>>
export type ClientName = keyof typeof CLIENTS
export const clientNames = Object.keys(CLIENTS) as ClientName[]

/** One line for each client. `key` has its prefix, `address` no slash at its end. */
export const environmentLines = (
  shell: ShellName,
  key: string,
  address: string,
  clients: readonly ClientName[] = clientNames,
): string[] => clients.map((client) => SHELLS[shell].set(CLIENTS[client](key, address)))

// Lines that a shell can run to point a client at Weir.
import { clientVendorNames, buildVendorVariables, type ClientConfiguration, type VendorName } from './clients.ts'

/**
 * The syntax of a shell: setting and unsetting a variable, giving variables to a single command, and quoting a text as
 * one word.
 */
interface Shell {
  quote(text: string): string
  set(variables: Readonly<Record<string, string>>): string
  unset(names: readonly string[]): string
  /** The command is from now on called with these arguments before its others. */
  wrap(command: string, args: readonly string[]): string
}

/** Characters that every shell takes literally. */
const PLAIN = /^[\w:,./-]+$/

const sh = (text: string) => (PLAIN.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)
const fish = (text: string) => (PLAIN.test(text) ? text : `'${text.replace(/[\\']/g, '\\$&')}'`)
// To PowerShell the typographic quotes end a text as well; a quote that is doubled is itself.
const powershell = (text: string) => `'${text.replace(/['‘’‚‛]/g, '$&$&')}'`

const each = (variables: Readonly<Record<string, string>>, one: (name: string, value: string) => string) =>
  Object.entries(variables).map(([name, value]) => one(name, value))

export const SHELL_SYNTAXES = {
  sh: {
    quote: sh,
    set: (variables) => ['export', ...each(variables, (name, value) => `${name}=${sh(value)}`)].join(' '),
    unset: (names) => `unset ${names.join(' ')}`,
    wrap: (command, args) => `${command}() { command ${command} ${args.map(sh).join(' ')} "$@"; }`,
  },
  fish: {
    quote: fish,
    set: (variables) => each(variables, (name, value) => `set -gx ${name} ${fish(value)}`).join('; '),
    unset: (names) => `set -e ${names.join(' ')}`,
    wrap: (command, args) => `function ${command}; command ${command} ${args.map(fish).join(' ')} $argv; end`,
  },
  powershell: {
    quote: powershell,
    set: (variables) => each(variables, (name, value) => `$env:${name} = ${powershell(value)}`).join('; '),
    unset: (names) => `Remove-Item -ErrorAction Ignore ${names.map((name) => `Env:${name}`).join(',')}`,
    wrap: (command, args) =>
      `function ${command} { & (Get-Command -CommandType Application ${command})[0] ${args.map(powershell).join(' ')} @args }`,
  },
} as const satisfies Record<string, Shell>
export type ShellName = keyof typeof SHELL_SYNTAXES
export const supportedShellNames = Object.keys(SHELL_SYNTAXES) as ShellName[]

/** Detects the shell that started the command, from its variables. */
export function detectShell({ SHELL = '', PSModulePath }: Record<string, string | undefined>): ShellName {
  if (/(^|\/)fish$/.test(SHELL)) return 'fish'
  return SHELL === '' && PSModulePath ? 'powershell' : 'sh'
}

/** Builds the lines that configure one client for Weir. */
export function buildShellLines(
  name: ShellName,
  { variables, without = [], args = [], command = '' }: ClientConfiguration,
): string[] {
  const shell: Shell = SHELL_SYNTAXES[name]
  return [
    ...(without.length > 0 ? [shell.unset(without)] : []),
    ...(Object.keys(variables).length > 0 ? [shell.set(variables)] : []),
    ...(args.length > 0 ? [shell.wrap(command, args)] : []),
  ]
}

/** One line for the clients of each vendor. `key` has its prefix, `address` no slash at its end. */
export const buildEnvironmentLines = (
  shell: ShellName,
  key: string,
  address: string,
  vendors: readonly VendorName[] = clientVendorNames,
): string[] => vendors.map((vendor) => SHELL_SYNTAXES[shell].set(buildVendorVariables(vendor, { key, address })))

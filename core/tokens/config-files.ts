// The configuration file of a coding agent, if it has one, with the same content as its variables and arguments.
import { buildClientConfig, type ClientName, type ClientPlace } from './clients.ts'

interface ConfigFile {
  /** Path in the home directory. */
  in: string
  file: string
  text: string
}

/** Returns the variables and arguments of `weir run` as a file; undefined for clients that read none. */
export function configFile(client: ClientName, place: ClientPlace): ConfigFile | undefined {
  const { variables, args = [] } = buildClientConfig(client, place)
  if (client === 'claude') return json('~/.claude/settings.json', 'settings.json', { env: variables })
  if (client === 'gemini') {
    const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}`)
    return { in: '~/.gemini/.env', file: 'gemini.env', text: lines.join('\n') }
  }
  if (client === 'codex') {
    const lines = args.filter((each) => each !== '-c')
    const keys = Object.entries(variables).map(([name, value]) => `# export ${name}=${value}`)
    return { in: '~/.codex/config.toml', file: 'config.toml', text: [...keys, ...lines].join('\n') }
  }
  const { OPENCODE_CONFIG_CONTENT: content, ...rest } = variables
  if (content === undefined) return undefined
  const whole = Object.entries(rest).reduce((text, [name, value]) => text.replaceAll(`{env:${name}}`, value), content)
  return json('~/.config/opencode/opencode.json', 'opencode.json', JSON.parse(whole))
}

const json = (place: string, file: string, value: unknown): ConfigFile => ({
  in: place,
  file,
  text: JSON.stringify(value, null, 2),
})

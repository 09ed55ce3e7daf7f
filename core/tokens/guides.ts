// Guides to the first call of each client through Weir: text to paste, or fields to fill in. The configuration is built
// in `clients.ts`; here it is formatted for copying.
import { fillTemplate, words, type Words } from '../errors.ts'
import { buildChatCode } from './chat-code.ts'
import { buildClientConfig, type ClientName, type ClientTarget } from './clients.ts'
import { buildShellLines, type ShellName } from './shell.ts'

// The configuration file of a coding agent, if it has one, with the same content as its variables and arguments.

interface ConfigFile {
  /** Path in the home directory. */
  in: string
  file: string
  text: string
}

/** Returns the variables and arguments of `weir run` as a file; undefined for clients that read none. */
export function buildConfigFile(client: ClientName, place: ClientTarget): ConfigFile | undefined {
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

/** The endpoint of a first call, and its model. */
export interface FirstCall extends ClientTarget {
  model: string
}

export const PLACEHOLDER_KEY = 'sk-your-token'

/** Text in one language or for one shell. */
export interface GuideText {
  /** Name of the language or the shell. */
  in: string
  text: string
  /** The name of the file that it is saved as. */
  file: string
}

/** The steps for one client: alternative texts, or fields of its settings. */
export interface Guide {
  texts?: GuideText[]
  fields?: { label: Words; value: string }[]
  /** A further remark. */
  note?: Words
}

const SHELL_NAMES: Readonly<Record<ShellName, string>> = { sh: 'Bash, Zsh', fish: 'Fish', powershell: 'PowerShell' }

const SHELL_ENDINGS: Readonly<Record<ShellName, string>> = { sh: 'sh', fish: 'fish', powershell: 'ps1' }

const shells = Object.keys(SHELL_NAMES) as ShellName[]

/** An agent in a terminal: its lines, and its command. */
function agent(client: ClientName, first: FirstCall): Guide {
  const pointed = buildClientConfig(client, first)
  const { setting } = pointed
  return {
    texts: shells
      .map((shell) => ({
        in: SHELL_NAMES[shell],
        text: [...buildShellLines(shell, pointed), client].join('\n'),
        file: `weir.${SHELL_ENDINGS[shell]}`,
      }))
      .concat(buildConfigFile(client, first) ?? []),
    ...(setting && {
      note: fillTemplate(words('If it shows a sign-in prompt: set "{path}" to "{value}" in ~/{folder}/{file}.'), {
        path: setting.path.join('.'),
        value: setting.value,
        folder: setting.folder,
        file: setting.file,
      }),
    }),
  }
}

/** A text of Python as of JavaScript. */
const quoted = (text: string) => JSON.stringify(text)

const BASE_URL = words('Base URL')
const API_KEY = words('API key')

const GUIDES = {
  'Claude Code': (first) => agent('claude', first),
  Codex: (first) => agent('codex', first),
  'Gemini CLI': (first) => agent('gemini', first),
  opencode: (first) => agent('opencode', first),
  Cursor: ({ key, address, model }) => ({
    fields: [
      { label: words('OpenAI API Key'), value: key },
      { label: words('Override OpenAI Base URL'), value: `${address}/v1` },
      { label: words('Add model'), value: model },
    ],
    note: words(
      'In Cursor Settings, under Models. Cursor calls from its own servers: this address has to be reachable from the internet.',
    ),
  }),
  Cline: ({ key, address, model }) => ({
    fields: [
      { label: words('API Provider'), value: 'OpenAI Compatible' },
      { label: BASE_URL, value: `${address}/v1` },
      { label: API_KEY, value: key },
      { label: words('Model ID'), value: model },
    ],
    note: words('In the settings of Cline, under API Configuration.'),
  }),
  'OpenAI SDK': (first) => ({
    texts: [
      { in: 'Python', file: 'weir.py', text: buildChatCode('Python', first, buildFirstBody(first.model)) },
      { in: 'JavaScript', file: 'weir.mjs', text: buildChatCode('TypeScript', first, buildFirstBody(first.model)) },
    ],
  }),
  'Anthropic SDK': ({ key, address, model }) => ({
    texts: [
      {
        in: 'Python',
        file: 'weir.py',
        text: `from anthropic import Anthropic

client = Anthropic(base_url=${quoted(address)}, api_key=${quoted(key)})

reply = client.messages.create(
    model=${quoted(model)},
    max_tokens=1024,
    messages=[{"role": "user", "content": "Hello"}],
)
print(reply.content[0].text)`,
      },
      {
        in: 'JavaScript',
        file: 'weir.mjs',
        text: `import Anthropic from '@anthropic-ai/sdk'

const client = new Anthropic({ baseURL: ${quoted(address)}, apiKey: ${quoted(key)} })

const reply = await client.messages.create({
  model: ${quoted(model)},
  max_tokens: 1024,
  messages: [{ role: 'user', content: 'Hello' }],
})
console.log(reply.content[0].text)`,
      },
    ],
  }),
  'Google SDK': ({ key, address, model }) => ({
    texts: [
      {
        in: 'Python',
        file: 'weir.py',
        text: `from google import genai

client = genai.Client(api_key=${quoted(key)}, http_options={"base_url": ${quoted(address)}})

reply = client.models.generate_content(model=${quoted(model)}, contents="Hello")
print(reply.text)`,
      },
      {
        in: 'JavaScript',
        file: 'weir.mjs',
        text: `import { GoogleGenAI } from '@google/genai'

const client = new GoogleGenAI({ apiKey: ${quoted(key)}, httpOptions: { baseUrl: ${quoted(address)} } })

const reply = await client.models.generateContent({ model: ${quoted(model)}, contents: 'Hello' })
console.log(reply.text)`,
      },
    ],
  }),
  curl: (first) => ({
    texts: [{ in: SHELL_NAMES.sh, file: 'weir.sh', text: buildChatCode('curl', first, buildFirstBody(first.model)) }],
  }),
} as const satisfies Record<string, (first: FirstCall) => Guide>

/** Name of the client, as its vendor writes it. */
export type GuideName = keyof typeof GUIDES
export const clientGuideNames = Object.keys(GUIDES) as GuideName[]

/** Returns the text or the fields for a client. */
export const getGuide = (client: GuideName, first: FirstCall): Guide => GUIDES[client](first)

/** The smallest chat there is. */
export const buildFirstBody = (model: string) => ({ model, messages: [{ role: 'user', content: 'Hello' }] })

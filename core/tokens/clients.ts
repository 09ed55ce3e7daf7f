// Configures each client for Weir: the variables that its vendor's libraries read, and the further settings of coding
// agents.

/** The Weir address, key and models for a client. */
export interface ClientTarget {
  /** The key with its prefix. */
  key: string
  /** Weir's address without a slash at its end. */
  address: string
  /** The model to begin with; the client's own choice otherwise. */
  model?: string | undefined
  /** The callable models, for clients that need a list. */
  models?: readonly string[]
}

/** The configuration that makes a client use Weir. */
export interface ClientConfiguration {
  variables: Readonly<Record<string, string>>
  /** Variables that would send it elsewhere. */
  without?: readonly string[]
  /** Arguments before its own. */
  args?: readonly string[]
  /** The client's command, if it needs arguments. */
  command?: string
  /** A setting of the client that overrides its variables. */
  setting?: OwnSetting
}

/** A setting in a JSON file in the client's folder in the home directory; `variable` names another folder. */
export interface OwnSetting {
  variable: string
  folder: string
  file: string
  path: readonly string[]
  value: string
}

type Point = (place: ClientTarget) => ClientConfiguration

const onlyWith = (model: string | undefined, variables: (model: string) => Record<string, string>) =>
  model === undefined ? {} : variables(model)

/** The configuration of each vendor's clients. */
const VENDORS = {
  openai: ({ key, address, model }) => ({
    variables: {
      OPENAI_API_KEY: key,
      OPENAI_BASE_URL: `${address}/v1`,
      ...onlyWith(model, (OPENAI_MODEL) => ({ OPENAI_MODEL })),
    },
  }),
  anthropic: ({ key, address, model }) => ({
    variables: {
      ANTHROPIC_API_KEY: key,
      ANTHROPIC_BASE_URL: address,
      ...onlyWith(model, (ANTHROPIC_MODEL) => ({ ANTHROPIC_MODEL })),
    },
  }),
  gemini: ({ key, address, model }) => ({
    variables: {
      GEMINI_API_KEY: key,
      GOOGLE_GEMINI_BASE_URL: address,
      ...onlyWith(model, (GEMINI_MODEL) => ({ GEMINI_MODEL })),
    },
  }),
} as const satisfies Record<string, Point>

/** The variable with the key, for clients that are configured by a file. */
const KEY = 'WEIR_API_KEY'

/** A text of TOML; JSON's are all among them. */
const toml = (text: string) => JSON.stringify(text)

const AGENTS = {
  claude: ({ key, address, model }) => ({
    variables: {
      ANTHROPIC_BASE_URL: address,
      ANTHROPIC_AUTH_TOKEN: key,
      ...onlyWith(model, (name) => ({
        ANTHROPIC_MODEL: name,
        ANTHROPIC_SMALL_FAST_MODEL: name,
        ANTHROPIC_DEFAULT_HAIKU_MODEL: name,
      })),
    },
    without: ['ANTHROPIC_API_KEY', 'CLAUDE_CODE_OAUTH_TOKEN', 'CLAUDE_CODE_USE_BEDROCK', 'CLAUDE_CODE_USE_VERTEX'],
  }),
  gemini: (place) => ({
    ...VENDORS.gemini(place),
    without: ['GOOGLE_API_KEY', 'GOOGLE_GENAI_USE_VERTEXAI', 'GOOGLE_GENAI_USE_GCA'],
    // It would go on with the account that its user once signed in with.
    setting: {
      variable: 'GEMINI_CLI_HOME',
      folder: '.gemini',
      file: 'settings.json',
      path: ['security', 'auth', 'selectedType'],
      value: 'gemini-api-key',
    },
  }),
  codex: ({ key, address, model }) => ({
    command: 'codex',
    variables: { [KEY]: key },
    args: Object.entries({
      model_provider: toml('weir'),
      'model_providers.weir.name': toml('Weir'),
      'model_providers.weir.base_url': toml(`${address}/v1`),
      'model_providers.weir.env_key': toml(KEY),
      'model_providers.weir.wire_api': toml('responses'),
      'model_providers.weir.supports_websockets': 'true',
      ...onlyWith(model, (name) => ({ model: toml(name) })),
    }).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  }),
  opencode: ({ key, address, model, models = [] }) => ({
    variables: {
      [KEY]: key,
      OPENCODE_CONFIG_CONTENT: JSON.stringify({
        ...onlyWith(model, (name) => ({ model: `weir/${name}`, small_model: `weir/${name}` })),
        provider: {
          weir: {
            npm: '@ai-sdk/openai-compatible',
            name: 'Weir',
            options: { baseURL: `${address}/v1`, apiKey: `{env:${KEY}}` },
            models: Object.fromEntries([...new Set([...models, ...(model ? [model] : [])])].map((name) => [name, {}])),
          },
        },
      }),
    },
  }),
} as const satisfies Record<string, Point>

export type VendorName = keyof typeof VENDORS
export const clientVendorNames = Object.keys(VENDORS) as VendorName[]

/** The clients by name; an agent's name is its command. */
const CLIENTS = { ...VENDORS, ...AGENTS } as const satisfies Record<string, Point>
export type ClientName = keyof typeof CLIENTS
export const supportedClientNames = Object.keys(CLIENTS) as ClientName[]

/** Returns the variables that make the clients of a vendor use Weir. */
export const buildVendorVariables = (vendor: VendorName, place: ClientTarget): Readonly<Record<string, string>> =>
  VENDORS[vendor](place).variables

/** Returns the configuration that makes a client use Weir. */
export const buildClientConfig = (client: ClientName, place: ClientTarget): ClientConfiguration =>
  CLIENTS[client](place)

/** The same for a command line: an agent by its name, any other program by the variables of all vendors. */
export function buildCommandConfig(command: string, place: ClientTarget): ClientConfiguration {
  const agent = findAgent(command)
  return agent
    ? AGENTS[agent](place)
    : { variables: Object.assign({}, ...clientVendorNames.map((vendor) => buildVendorVariables(vendor, place))) }
}

export const needsModelNames = (client: string | undefined): boolean => client === 'opencode'

/** The agent that a command starts; undefined for other programs. */
export function findAgent(command: string): keyof typeof AGENTS | undefined {
  const name = /([^/\\]+?)(\.exe|\.cmd)?$/i.exec(command)?.[1]
  return name !== undefined && Object.hasOwn(AGENTS, name) ? (name as keyof typeof AGENTS) : undefined
}

// Xunfei Spark: its endpoint in OpenAI's format for API passwords. Keys of three parts sign for its WebSocket, which is
// the older way to the same models.
import type { ChannelForProvider } from './channel-for-provider.ts'
import { sparkChatDialect } from '../dialects/provider-only/spark-chat.ts'
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { fail, words } from '../errors.ts'
import { hasKeyParts, provider, type UpstreamEndpoint } from './provider.ts'

const BASE = 'https://spark-api-open.xf-yun.com'
const SOCKET = 'wss://spark-api.xf-yun.com'

const isSigned = (_: string, { key }: Pick<ChannelForProvider, 'key'>): boolean => key.includes('|')

export const xunfei = provider({
  type: 18,
  id: 'xunfei',
  name: 'Xunfei Spark',
  base_url: BASE,
  thoughts: 'refuses',
  models: ['SparkDesk-v1.1', 'SparkDesk-v3.1', 'SparkDesk-v3.5', 'SparkDesk-v4.0'],
  env: 'SPARK_API_PASSWORD',
  chat: [
    {
      dialect: openaiChat,
      path: '/v1/chat/completions',
      serves: (model, channel) => !isSigned(model, channel),
      adapt: (model, _, __, { other }) => ({ model: getDomain(model, other) }),
    },
    {
      dialect: sparkChatDialect,
      serves: isSigned,
      path: ({ base, model: domain }) =>
        `${base === BASE ? SOCKET : base.replace(/^http/, 'ws')}/${socketPath(domain)}`,
      adapt: asApp,
      authorize: () => ({}),
      query: (channel, { url }, { signer }) => signer.xunfei(url, parseKeys(channel)),
      socket: true,
    },
  ],
  fields: {
    key: {
      label: words('API password, or APPID|APISecret|APIKey'),
      placeholder: 'APPID|APISecret|APIKey',
      required: true,
    },
    other: {
      label: words('SparkDesk version'),
      help: words('For models without a version in their names'),
      placeholder: 'v2.1',
    },
  },
  other_default: 'v2.1',
  hasKeyForm: hasKeyParts(1, 3),
})

/** @throws GatewayError channel.key_format */
function parseKeys({ key }: Pick<ChannelForProvider, 'key'>): { app_id: string; api_secret: string; api_key: string } {
  const [app_id, api_secret, api_key, ...more] = key.split('|').map((part) => part.trim())
  if (!app_id || !api_secret || !api_key || more.length > 0) return fail('channel.key_format')
  return { app_id, api_secret, api_key }
}

/** The app is named in the first frame. */
function asApp(...[model, , , channel]: Parameters<NonNullable<UpstreamEndpoint['adapt']>>) {
  const { app_id } = parseKeys(channel)
  return { model: getDomain(model, channel.other), defaults: { header: { app_id } } }
}

/** The names at both endpoints for the versions of the older names. */
const domains = new Map([
  ['v1.1', 'lite'],
  ['v2.1', 'generalv2'],
  ['v3.1', 'generalv3'],
  ['v3.5', 'generalv3.5'],
  ['v4.0', '4.0Ultra'],
])

/** Other names are the endpoint's own and stay unchanged. */
function getDomain(model: string, other: string): string {
  const named = /^SparkDesk(?:-(v[\d.]+))?$/.exec(model)
  return (named && domains.get(named[1] ?? (other.trim() || 'v3.5'))) ?? model
}

/** Returns the socket's path of a domain: its version, or its name. */
function socketPath(domain: string): string {
  for (const [version, name] of domains) if (name === domain) return `${version}/chat`
  return `chat/${encodeURIComponent(domain)}`
}

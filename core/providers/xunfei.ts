// Xunfei Spark: its endpoint in OpenAI's format. The three-part keys of its older socket work too: the two secrets
// in them, joined by a colon, are the password that this endpoint wants.
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { provider } from './provider.ts'

export const xunfei = provider({
  type: 18,
  id: 'xunfei',
  name: 'Xunfei Spark',
  base_url: 'https://spark-api-open.xf-yun.com',
  models: ['SparkDesk-v1.1', 'SparkDesk-v3.1', 'SparkDesk-v3.5', 'SparkDesk-v4.0'],
  env: 'SPARK_API_PASSWORD',
  chat: [
    {
      dialect: openaiChat,
      path: '/v1/chat/completions',
      adapt: (model, _, __, { other }) => ({ model: domainOf(model, other) }),
    },
  ],
  authorize: ({ key }) => ({ authorization: `Bearer ${passwordOf(key)}` }),
  fields: {
    key: { label: 'API password, or APPID|APISecret|APIKey', placeholder: 'APPID|APISecret|APIKey', required: true },
    other: { label: 'Version of SparkDesk without one in its name', placeholder: 'v3.5' },
  },
})

/** `APPID|APISecret|APIKey` as the password of the HTTP endpoint, which is APIKey:APISecret. */
function passwordOf(key: string): string {
  const [, secret, apiKey] = key.split('|')
  return apiKey ? `${apiKey}:${secret}` : key
}

/** What the HTTP endpoint calls the versions of the older names. */
const domains = new Map([
  ['v1.1', 'lite'],
  ['v3.1', 'generalv3'],
  ['v3.5', 'generalv3.5'],
  ['v4.0', '4.0Ultra'],
])

/** Other names, which are the endpoint's own, stay as they are. */
function domainOf(model: string, other: string): string {
  const named = /^SparkDesk(?:-(v[\d.]+))?$/.exec(model)
  return (named && domains.get(named[1] ?? (other.trim() || 'v3.5'))) ?? model
}

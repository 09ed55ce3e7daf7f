// Tencent Hunyuan: its endpoint in OpenAI's format; keys of Tencent Cloud (AppId|SecretId|SecretKey) sign requests to
// its native endpoint.
import type { ChannelForProvider } from './channel-for-provider.ts'
import { hunyuanChatDialect } from '../dialects/provider-only/hunyuan-chat.ts'
import { fail, words } from '../errors.ts'
import { createOpenaiEndpoint } from './openai-endpoints.ts'
import { bearer, hasKeyParts, names, provider, type AuthorizeRequest } from './provider.ts'

const BASE = 'https://api.hunyuan.cloud.tencent.com'
const SIGNED = 'https://hunyuan.tencentcloudapi.com'

const isSigned = (_: string, { key }: Pick<ChannelForProvider, 'key'>): boolean => key.includes('|')
const isPlain = (model: string, channel: Pick<ChannelForProvider, 'key'>): boolean => !isSigned(model, channel)

export const hunyuan = provider({
  type: 23,
  id: 'tencent',
  name: 'Tencent Hunyuan',
  base_url: BASE,
  thoughts: 'takes',
  models: names('hunyuan'),
  env: 'HUNYUAN_API_KEY',
  chat: [
    createOpenaiEndpoint('chat', { serves: isPlain }),
    {
      dialect: hunyuanChatDialect,
      serves: isSigned,
      path: ({ base }) => `${base === BASE ? SIGNED : base}/`,
      authorize: signed,
    },
  ],
  embeddings: [createOpenaiEndpoint('embeddings', { serves: isPlain })],
  models_path: '/v1/models',
  hasKeyForm: hasKeyParts(1, 3),
  authorize: (channel) => (isSigned('', channel) ? fail('channel.key_format') : bearer(channel)),
  fields: {
    key: {
      label: words('API key of the Hunyuan console, or AppId|SecretId|SecretKey'),
      placeholder: 'AppId|SecretId|SecretKey',
      required: true,
    },
  },
})

/** The first part of the key is not used. @throws GatewayError channel.key_format */
function signed(...[{ key }, request, { signer }]: Parameters<AuthorizeRequest>): Record<string, string> {
  const [, secret_id, secret_key, ...more] = key.split('|').map((part) => part.trim())
  if (!secret_id || !secret_key || more.length > 0) return fail('channel.key_format')
  const headers = signer.tencent(request, { secret_id, secret_key, service: 'hunyuan' })
  return { ...headers, 'x-tc-action': 'ChatCompletions', 'x-tc-version': '2023-09-01' }
}

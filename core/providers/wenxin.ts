// Baidu Wenxin: the first version of its API, for keys that only support it; type 46 is the current one. The two keys
// of an app are exchanged for a token, which is part of the address.
import type { ChannelForProvider } from './channel-for-provider.ts'
import { wenxinChatDialect } from '../dialects/provider-only/wenxin-chat.ts'
import { openaiEmbeddings } from '../dialects/embeddings/openai-embeddings.ts'
import { joinParts } from '../dialects/json/json-bytes.ts'
import { asObject, parseJsonBytes } from '../dialects/json/json-value.ts'
import { setTopFields } from '../dialects/requests/patch.ts'
import { fail, words } from '../errors.ts'
import type { UpstreamRequest } from '../ports/upstream.ts'
import { getBaseUrl } from './address.ts'
import { hasKeyParts, names, provider, type AuthorizeRequest, type UpstreamEndpoint } from './provider.ts'

export const wenxin = provider({
  type: 15,
  id: 'wenxin',
  name: 'Baidu Wenxin (v1)',
  base_url: 'https://aip.baidubce.com',
  models: names(`
    ERNIE-4.0-8K, ERNIE-3.5-8K, ERNIE-Speed-8K, ERNIE-Speed-128K, ERNIE-Lite-8K-0922, ERNIE-Lite-8K-0308,
    ERNIE-Tiny-8K, Embedding-V1, bge-large-zh, bge-large-en, tao-8k
  `),
  chat: [{ dialect: wenxinChatDialect, path: at('chat'), query: token }],
  embeddings: [
    {
      dialect: openaiEmbeddings,
      path: at('embeddings'),
      query: token,
      adjust: withList,
    },
  ],
  authorize: () => ({}),
  hasKeyForm: hasKeyParts(2),
  fields: {
    key: {
      label: words('API key and secret key'),
      placeholder: 'APIKey|SecretKey',
      required: true,
    },
  },
})

/** Names that differ in the address by more than lower case. */
const slugs: Record<string, string> = {
  'ERNIE-4.0-8K': 'completions_pro',
  'ERNIE-4.0': 'completions_pro',
  'ERNIE-Bot-4': 'completions_pro',
  'ERNIE-Bot': 'completions',
  'ERNIE-3.5-8K': 'completions',
  'ERNIE-Bot-turbo': 'eb-instant',
  'ERNIE-Lite-8K-0922': 'eb-instant',
  'ERNIE-Speed-8K': 'ernie_speed',
  'ERNIE-Bot-8K': 'ernie_bot_8k',
  'BLOOMZ-7B': 'bloomz_7b1',
  'bge-large-zh': 'bge_large_zh',
  'bge-large-en': 'bge_large_en',
  'tao-8k': 'tao_8k',
}

function at(task: string): UpstreamEndpoint['path'] {
  return ({ base, model }) => {
    const slug = Object.hasOwn(slugs, model) ? slugs[model]! : model.toLowerCase()
    return `${base}/rpc/2.0/ai_custom/v1/wenxinworkshop/${task}/${encodeURIComponent(slug)}`
  }
}

/** @throws GatewayError channel.key_format */
async function token(
  ...[channel, { proxy, guarded }, { signer }]: Parameters<AuthorizeRequest>
): Promise<Record<string, string>> {
  const keys = { ...parseKeys(channel), token_url: `${getBaseUrl(wenxin, channel)}/oauth/2.0/token` }
  return { access_token: await signer.baidu(keys, { proxy, guarded }) }
}

function parseKeys({ key }: ChannelForProvider): { api_key: string; secret_key: string } {
  const [api_key, secret_key, ...more] = key.split('|').map((part) => part.trim())
  return api_key && secret_key && more.length === 0 ? { api_key, secret_key } : fail('channel.key_format')
}

/** It takes lists alone. */
function withList(request: UpstreamRequest): UpstreamRequest {
  const input = request.body && asObject(parseJsonBytes(joinParts(request.body)))?.input
  return request.body && typeof input === 'string'
    ? { ...request, body: setTopFields(request.body, { input: [input] }) }
    : request
}

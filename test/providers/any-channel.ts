// A channel of any type, with what the type wants said, and the address of a call through it.
import type { ChannelWithKey } from '../../core/channels/channel.ts'
import type { RequestSigner } from '../../core/ports/signer.ts'
import { findProvider } from '../../core/providers/index.ts'
import { buildEndpointUrl } from '../../core/providers/address.ts'
import { defaultSettings } from '../../core/settings/snapshot.ts'

export const channel = (more: Partial<ChannelWithKey> = {}) =>
  ({
    key: 'KEY',
    key_mode: '',
    base_url: '',
    other: '',
    openai_organization: '',
    setting: '',
    ...more,
  }) as ChannelWithKey

export const SERVICE_ACCOUNT = JSON.stringify({ project_id: 'p1', client_email: 'KEY', private_key: 'KEY' })
/** What channels of some types must say before they can be called. */
export const needed: Record<number, Partial<ChannelWithKey>> = {
  3: { base_url: 'https://res.openai.azure.com' },
  16: { key: 'KEY.secret' },
  21: { other: 'library' },
  33: { key: 'KEY|us-east-1' },
  39: { other: 'acc' },
  15: { key: 'KEY|secret' },
  41: { key: SERVICE_ACCOUNT, other: 'us-east5' },
  49: { other: 'bot' },
}
export const signer: RequestSigner = {
  aws: async () => ({ authorization: 'signed' }),
  google: async (key) => `token of ${key.length}`,
  tencent: ({ url }, { secret_id }) => ({ authorization: `${secret_id} signed ${url}` }),
  baidu: async ({ api_key, token_url }) => `${api_key} at ${token_url}`,
  volcengine: ({ url }, { access_key }) => ({ authorization: `${access_key} signed ${url}` }),
  xunfei: (url, { api_key }) => ({ authorization: `${api_key} signed ${url}` }),
  zhipu: async (key) => `token of ${key.length}`,
  kling: async (key) => `token of ${key.length}`,
}
export const settings = defaultSettings()
export const head = { model: 'm', stream: false, include_usage: false, prompt_estimate: 1 }
export const url = (type: number, base_url = '', model = 'm', door = 0) => urlWith(type, { base_url }, model, door)
export function urlWith(type: number, more: Partial<ChannelWithKey>, model = 'm', door = 0, stream = false): string {
  const provider = findProvider(type)!
  const said = Object.fromEntries(Object.entries(more).filter(([, value]) => value !== ''))
  const of = channel({ ...needed[type], ...said })
  return buildEndpointUrl(provider, provider.chat![door]!, of, model, { ...head, stream }, settings)
}
/** The door that a model is asked at by somebody who speaks none of its formats. */
export const doorOf = (type: number, model: string) =>
  findProvider(type)!.chat!.findIndex(({ serves }) => serves?.(model, channel(needed[type])) ?? true)

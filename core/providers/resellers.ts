// Resellers of OpenAI's models: the same endpoints at other addresses.
import { createCreditBalanceReader, fetchAiproxyBalance } from './balance.ts'
import { NON_CHAT_OPERATIONS, createOpenaiEndpoints } from './openai-endpoints.ts'
import { API_KEY_LABEL, provider, type Provider } from './provider.ts'

const reseller = (own: Pick<Provider, 'type' | 'id' | 'name' | 'base_url' | 'balance'>): Provider =>
  provider({
    ...own,
    thoughts: 'by_model',
    ...createOpenaiEndpoints('chat', ...NON_CHAT_OPERATIONS),
    models_path: '/v1/models',
    fields: { key: { label: API_KEY_LABEL, placeholder: 'sk-...', required: true } },
  })

export const openaimax = reseller({
  type: 6,
  id: 'openaimax',
  name: 'OpenAIMax',
  base_url: 'https://api.openaimax.com',
})

export const ohmygpt = reseller({ type: 7, id: 'ohmygpt', name: 'OhMyGPT', base_url: 'https://api.ohmygpt.com' })

export const ails = reseller({ type: 9, id: 'ails', name: 'AILS (CaiPaCity)', base_url: 'https://api.caipacity.com' })

/** It reports balances in points, at another address. */
export const aiproxy = reseller({
  type: 10,
  id: 'aiproxy',
  name: 'AI Proxy',
  base_url: 'https://api.aiproxy.io',
  balance: fetchAiproxyBalance,
})

export const api2gpt = reseller({
  type: 12,
  id: 'api2gpt',
  name: 'API2GPT',
  base_url: 'https://api.api2gpt.com',
  balance: createCreditBalanceReader('total_remaining'),
})

export const aigc2d = reseller({
  type: 13,
  id: 'aigc2d',
  name: 'AIGC2D',
  base_url: 'https://api.aigc2d.com',
  balance: createCreditBalanceReader('total_available'),
})

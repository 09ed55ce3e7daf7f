// The channels of the small site, and what the API answers of them.
import { listAdminFindings } from '../../core/attention/findings.ts'
import type { Channel } from '../../core/channels/channel.ts'
import type { ChannelType } from '../../core/channels/contract.ts'
import type { Handlers } from './fake-server.ts'
import { listed, NOW, type Sample } from './samples.ts'

export const channel = (id: number, change: Partial<Channel> = {}): Sample<Channel, 'id'> => ({
  id,
  name: `channel-${id}`,
  type: 1,
  openai_organization: '',
  max_input_tokens: 0,
  base_url: '',
  other: '',
  models: 'gpt-4o,gpt-4o-mini',
  group: 'default,vip',
  model_mapping: '',
  status_code_mapping: '',
  param_override: '',
  setting: '',
  auto_ban: 1,
  test_model: '',
  priority: 0,
  weight: 0,
  tag: null,
  status: 1,
  response_time: 0,
  balance: 0,
  used_quota: 2_345_678,
  other_info: '',
  created_time: NOW,
  balance_updated_time: 0,
  test_time: 0,
  address_by: 'root',
  ...change,
})

export const channelTypes: Partial<ChannelType>[] = [
  {
    type: 1,
    id: 'openai',
    name: 'OpenAI',
    base_url: 'https://api.openai.com',
    models: ['gpt-4o', 'gpt-4o-mini', 'o3'],
    needs_key: true,
    env: 'OPENAI_API_KEY',
    fields: { openai_organization: { label: { en: 'Organization', zh: '组织' } } },
  },
  {
    type: 43,
    id: 'deepseek',
    name: 'DeepSeek',
    base_url: 'https://api.deepseek.com',
    models: ['deepseek-chat', 'deepseek-reasoner'],
    needs_key: true,
    fields: {},
  },
  {
    type: 1001,
    id: 'sandbox',
    name: 'Sandbox',
    base_url: '',
    models: ['sandbox-echo'],
    needs_key: false,
    fields: {},
  },
]

export const health = (id: number, error = '') => ({
  id,
  last_test: { tested_at: NOW, model: 'gpt-4o', passed: error === '', ms: 640, status: error ? 401 : 0, error },
  cells: Array.from({ length: 24 }, (_, hour) =>
    hour % 5 === 0 ? null : { hour: NOW + hour * 3600, answered: hour * 3, failed: hour % 4 === 0 ? 2 : 0 },
  ),
})

const place = { serves: true, keys: [{ fingerprint: '', on: true, reason: '', cooldown_until: 0 }] }
const route = {
  ...{ group: 'default', attempts: 3, fallbacks: [{ model: 'o3', channels: 1 }] },
  channels: [
    {
      ...place,
      id: 7,
      name: 'OpenAI main',
      tier: 1,
      priority: 10,
      taken: true,
      reason: 'first',
      share: 1,
      tier_share: 1,
    },
    {
      ...{ ...place, id: 6, name: 'Tired', tier: 2, reason: 'cooling' },
      keys: [{ ...place.keys[0], cooldown_until: Math.floor(Date.now() / 1000) + 3600 }],
    },
    { ...place, id: 5, name: 'OpenAI spare', serves: false, reason: 'off_by_cause', cause: 'Incorrect API key' },
  ],
}

const listedChannels = () => [
  channel(7, { name: 'OpenAI main', priority: 10, weight: 5, response_time: 642, test_time: NOW }),
  channel(6, { name: 'DeepSeek', type: 43, models: 'deepseek-chat', response_time: 4210, tag: 'cheap' }),
  channel(5, {
    name: 'OpenAI spare',
    status: 3,
    other_info: JSON.stringify({ status_reason: 'Incorrect API key', status_time: NOW }),
  }),
  channel(4, { name: 'Practice', type: 1001, models: 'sandbox-echo', status: 2 }),
]

export const channelHandlers = (): Handlers => ({
  'channels.list': () => listed(listedChannels()),
  'channels.search': ({ keyword, status }) => ({
    data: keyword
      ? [channel(8, { name: `found ${String(keyword)}` })]
      : listedChannels().filter((one) => !status || one.status === Number(status)),
  }),
  'state.managed': () => ({ data: [] }),
  'attention.list': () => ({
    data: listAdminFindings({ channels: listedChannels() as Channel[], hours: [], unpriced: [] }),
  }),
  'channels.health': () => ({ data: { from: NOW, channels: [health(7), health(5)] } }),
  'channels.types': () => ({ data: channelTypes }),
  'channels.get': ({ id }) => ({
    data: channel(Number(id), { name: 'OpenAI main', base_url: 'https://example.test' }),
  }),
  'channels.test': () => ({ data: null, beside: { time: 1.25 } }),
  'channels.keys': () => ({ data: [{ place: 1, key: 'sk-***one', fingerprint: '', on: true }] }),
  'channels.try': () => ({ data: null, beside: { time: 0.642, keys: [] } }),
  'channels.create': ({ name }) => ({ data: [channel(11, { name: String(name) })] }),
  'channels.update': ({ id, status: next }) => ({ data: channel(Number(id), { status: Number(next ?? 1) }) }),
  'channels.delete': () => ({ data: null }),
  'channels.modelsEnabled': () => ({ data: ['gpt-4o', 'gpt-4o-mini', 'o3'] }),
  'channels.route': ({ model }) => ({ data: { ...route, model } }),
  'channels.consequences': () => ({ data: { serving: 1, lost: [] } }),
  'channels.switchMany': ({ ids }) => ({ data: (ids as number[]).length }),
  'channels.deleteMany': ({ ids }) => ({ data: (ids as number[]).length }),
  'channels.tagMany': ({ ids }) => ({ data: (ids as number[]).length }),
  'channels.updateTag': () => ({ data: 1 }),
  'channels.enableTag': () => ({ data: 1 }),
  'channels.disableTag': () => ({ data: 1 }),
  'channels.testAll': () => ({ data: null }),
  'channels.updateBalances': () => ({ data: { updated: 3, failed: 0 } }),
  'channels.updateBalance': () => ({ data: null, beside: { balance: 12.5 } }),
  'channels.deleteDisabled': () => ({ data: 2 }),
  'channels.repair': () => ({ data: 1 }),
  'channels.copy': ({ id }) => ({ data: channel(Number(id) + 100, { name: 'copy' }) }),
  'channels.fetchModelsNew': () => ({ data: ['theirs'] }),
  'channels.fetchModels': () => ({ data: ['gpt-4o', 'gpt-5', 'gpt-5-mini'] }),
})

import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { described, field } from '../contract/field.ts'
import { words } from '../errors.ts'
import { queryFlag as flag } from '../contract/flag.ts'
import { namedSchemas } from '../contract/named-schemas.ts'
import { arrayQuery, walkQuery, walkReply } from '../contract/page.ts'
import { ReadVersion } from '../contract/version.ts'
import { channelBulk } from './bulk-contract.ts'
import { channelHealth } from './health-contract.ts'
import { channelFields } from './channel-fields.data.ts'
import {
  Channel,
  channelList,
  ChannelForm,
  ChannelKeys,
  ChannelName,
  ChannelPatch,
  DEFAULT_CHANNEL_TYPE,
} from './channel.ts'
import { ExplainedChannel } from './explain.ts'

const id = z.object({ id: z.coerce.number().int() })

/** Forms send the list of groups beside its text. */
const ChannelRow = Channel.extend({ groups: z.unknown() })

const FieldHint = z.object({ label: z.string(), placeholder: z.string().optional(), required: z.boolean().optional() })

/** A channel type as the faces need it: what the menu, the form and the terminal show. */
export const ChannelType = z.object({
  type: z.number(),
  id: z.string(),
  name: z.string(),
  /** Used when a channel leaves its own empty; empty means it must not. */
  base_url: z.string(),
  models: z.array(z.string()),
  /** False where the provider needs no key at all. */
  needs_key: z.boolean(),
  /** Environment variable that commonly holds a key for it. */
  env: z.string().optional(),
  /** What to take instead, where the service is gone: only channels that exist are of this type. */
  retired: z.string().optional(),
  fields: z.object({
    key: FieldHint.optional(),
    other: FieldHint.optional(),
    base_url: FieldHint.optional(),
    openai_organization: FieldHint.optional(),
  }),
})
namedSchemas.add(ChannelType, { id: 'ChannelType' })
export type ChannelType = z.infer<typeof ChannelType>

/** What would be done with a call of a model in a group. */
export const RouteExplanation = z.object({
  model: z.string(),
  group: z.string(),
  /** Attempts a failing call may make on the channels of one model. */
  attempts: z.number(),
  channels: z.array(ExplainedChannel),
  /** Models that are tried next, with the number of enabled channels that serve each. */
  fallbacks: z.array(z.object({ model: z.string(), channels: z.number() })),
})
namedSchemas.add(RouteExplanation, { id: 'RouteExplanation' })
export type RouteExplanation = z.infer<typeof RouteExplanation>

/** What an operator sends for a new channel, or for several: one for each line of keys. */
export const KeyedChannelForm = ChannelForm.extend(
  described(channelFields, {
    name: ChannelName.default(''),
    type: z.number().int().min(1).default(DEFAULT_CHANNEL_TYPE),
    key: ChannelKeys.default(''),
  }),
)

/** What is sent to change one; what is absent stays as it is. */
export const KeyedChannelPatch = ChannelPatch.extend(
  described(channelFields, {
    id: z.number().int(),
    key: ChannelKeys.optional(),
    status: z.number().int().min(1).max(3).optional(),
    key_on: z.string().optional(),
  }),
)

export const channels = {
  list: endpoint({
    method: 'GET',
    path: '/api/channel/',
    access: 'admin',
    scope: 'read',
    summary: 'Channels by priority, or newest first with id_sort',
    query: z.object({ ...arrayQuery, ...walkQuery(channelList), id_sort: flag, tag_mode: flag }),
    reply: z.array(Channel),
    beside: z.object({ total: z.number(), ...walkReply(channelList) }),
  }),
  search: endpoint({
    method: 'GET',
    path: '/api/channel/search',
    access: 'admin',
    scope: 'read',
    summary: 'Channels by id, name or whole key, by group and by model',
    query: z.object({
      keyword: z.string().default(''),
      group: z.string().default(''),
      model: z.string().default(''),
      sort: walkQuery(channelList).sort,
      id_sort: flag,
      tag_mode: flag,
    }),
    reply: z.array(Channel),
  }),
  ...channelBulk,
  ...channelHealth,
  types: endpoint({
    method: 'GET',
    path: '/api/channel/types',
    access: 'admin',
    scope: 'read',
    summary: 'Channel types: name, default address, models and form fields of each',
    reply: z.array(ChannelType),
  }),
  modelsEnabled: endpoint({
    method: 'GET',
    path: '/api/channel/models_enabled',
    access: 'admin',
    scope: 'read',
    summary: 'Names of the models that enabled channels serve',
    reply: z.array(z.string()),
  }),
  test: endpoint({
    method: 'GET',
    path: '/api/channel/test/{id}',
    access: 'admin',
    scope: 'relay',
    summary: 'Send the smallest possible call through a channel; charged to nobody',
    changes: true,
    params: id,
    query: z.object({ model: z.string().default('') }),
    reply: z.null(),
    /** `time` in seconds. */
    beside: z.object({ time: z.number() }),
  }),
  try: endpoint({
    method: 'POST',
    path: '/api/channel/try',
    access: 'admin',
    scope: 'relay',
    summary:
      'Test a channel as it would be kept, and keep nothing: a new one or, with its id, a change of one; charged to nobody',
    row: ChannelRow,
    // Without an id it begins as a new channel does.
    body: KeyedChannelPatch.extend({
      ...described(channelFields, { id: z.number().int().default(0) }),
      model: field(z.string().default(''), {
        label: words('Model', '模型'),
        help: words('Model to test with; empty for the test model', '用于测试的模型；留空则使用测试模型'),
        example: 'gpt-4.1-mini',
      }),
    }),
    reply: z.null(),
    /** `time` in seconds. */
    beside: z.object({ time: z.number() }),
  }),
  route: endpoint({
    method: 'GET',
    path: '/api/channel/route',
    access: 'admin',
    scope: 'read',
    summary: 'Why a call of a model would go to which channel',
    query: z.object({
      model: z.string().min(1),
      group: z.string().default(''),
      /** Decides the group and the fallback models. */
      token_id: z.coerce.number().int().min(0).default(0),
      /** Size of the prompt; 0 for one that every channel takes. */
      prompt_tokens: z.coerce.number().int().min(0).default(0),
    }),
    reply: RouteExplanation,
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/channel/{id}',
    access: 'admin',
    scope: 'read',
    summary: 'One channel, without its key',
    params: id,
    reply: Channel,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/channel/',
    access: 'admin',
    scope: 'relay',
    summary: 'Add channels: one for each line of the key, or one with several keys where key_mode says so',
    row: ChannelRow,
    // Name and key are asked for by the handler, with the message of the specification.
    body: KeyedChannelForm,
    reply: z.array(Channel),
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/channel/',
    access: 'admin',
    scope: 'relay',
    summary: 'Change a channel; absent fields and a blank key stay as they are. A whole form leaves its status alone',
    row: ChannelRow,
    body: KeyedChannelPatch.extend({ version: ReadVersion }),
    reply: Channel,
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/api/channel/{id}',
    access: 'admin',
    scope: 'relay',
    summary: 'Delete a channel',
    params: id,
    reply: z.null(),
  }),
}

import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { declareShapeFields, field } from '../contract/field.ts'
import { filterByIds, filterByKind, queryFlag as flag } from '../contract/filter.ts'
import { ExplainedChannel } from './route-explanation.ts'
import { words } from '../errors.ts'
import { arrayQueryFields, cursorQueryFields, cursorReplyFields } from '../contract/page.ts'
import { ReadVersion } from '../contract/version.ts'
import { channelBulkContract } from './bulk-contract.ts'
import { channelHealthContract } from './health-contract.ts'
import { channelFields } from './channel-fields.data.ts'
import { channelKeysContract } from './keys-contract.ts'
import {
  Channel,
  channelListOrder,
  ChannelForm,
  ChannelKeyText,
  ChannelName,
  ChannelPatch,
  ChannelRow,
  DEFAULT_CHANNEL_TYPE,
} from './channel.ts'

const id = z.object({ id: z.coerce.number().int() })

const Said = z.object({ en: z.string(), zh: z.string() })

const FieldHint = z.object({
  label: Said,
  help: Said.optional(),
  placeholder: z.string().optional(),
  required: z.boolean().optional(),
})

/** A channel type with the facts that the menu, the form and the terminal show. */
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
  /** The replacement, if the service has ended. Only existing channels have such a type. */
  retired: z.string().optional(),
  fields: z.object({
    key: FieldHint.optional(),
    other: FieldHint.optional(),
    base_url: FieldHint.optional(),
    openai_organization: FieldHint.optional(),
  }),
})
z.globalRegistry.add(ChannelType, { id: 'ChannelType' })
export type ChannelType = z.infer<typeof ChannelType>

/** The route that a call of a model in a group would take. */
export const RouteExplanation = z.object({
  /** The name under which the group's channels list the requested model. */
  model: z.string(),
  group: z.string(),
  /** Attempts a failing call may make on the channels of one model. */
  attempts: z.number(),
  channels: z.array(ExplainedChannel),
  /** Models that are tried next, with the number of enabled channels that serve each. */
  fallbacks: z.array(z.object({ model: z.string(), channels: z.number() })),
})
z.globalRegistry.add(RouteExplanation, { id: 'RouteExplanation' })
export type RouteExplanation = z.infer<typeof RouteExplanation>

/** The form for a new channel, or for several: one for each line of keys. */
export const KeyedChannelForm = ChannelForm.extend(
  declareShapeFields(channelFields, {
    name: ChannelName.default(''),
    type: z.number().int().min(1).default(DEFAULT_CHANNEL_TYPE),
    key: ChannelKeyText.default(''),
  }),
)

/** The result of testing one of several keys. */
const TriedKey = z.object({
  /** The masked key; empty for a short one. */
  key: z.string(),
  passed: z.boolean(),
  /** Unit: ms. */
  ms: z.number(),
  /** HTTP status and message of the failure; 0 and empty if the test passed. */
  status: z.number(),
  error: z.string(),
})
z.globalRegistry.add(TriedKey, { id: 'TriedKey' })
export type TriedKey = z.infer<typeof TriedKey>

/** The changes to a channel; absent fields stay as they are. */
export const KeyedChannelPatch = ChannelPatch.extend(
  declareShapeFields(channelFields, {
    id: z.number().int(),
    key: ChannelKeyText.optional(),
    status: z.number().int().min(1).max(3).optional(),
    key_on: z.string().optional(),
  }),
)

const text = z.string().default('')

/** The filter of a list of channels; 0 and the empty text filter nothing. */
const filter = { status: filterByKind, type: filterByKind, tag: text, group: text, model: text }

export const channelsContract = {
  list: endpoint({
    method: 'GET',
    path: '/api/channel/',
    access: 'admin',
    scope: 'read',
    summary: words('Channels by priority, or newest first with id_sort; of a status, type, tag, group or model'),
    query: z.object({
      ...arrayQueryFields,
      ...cursorQueryFields(channelListOrder),
      ...filter,
      id_sort: flag,
      tag_mode: flag,
    }),
    reply: z.array(Channel),
    replyFields: z.object({ total: z.number(), ...cursorReplyFields(channelListOrder) }),
  }),
  search: endpoint({
    method: 'GET',
    path: '/api/channel/search',
    access: 'admin',
    scope: 'read',
    summary: words('Channels by id, name or whole key, and by what the list can be narrowed down by'),
    query: z.object({
      keyword: text,
      ...filter,
      sort: cursorQueryFields(channelListOrder).sort,
      id_sort: flag,
      tag_mode: flag,
    }),
    reply: z.array(Channel),
  }),
  ...channelBulkContract,
  ...channelHealthContract,
  ...channelKeysContract,
  types: endpoint({
    method: 'GET',
    path: '/api/channel/types',
    access: 'admin',
    scope: 'read',
    summary: words('Channel types: name, default address, models and form fields of each'),
    reply: z.array(ChannelType),
  }),
  modelsEnabled: endpoint({
    method: 'GET',
    path: '/api/channel/models_enabled',
    access: 'admin',
    scope: 'read',
    summary: words('Names of the models that enabled channels serve'),
    reply: z.array(z.string()),
  }),
  test: endpoint({
    method: 'GET',
    path: '/api/channel/test/{id}',
    access: 'admin',
    scope: 'relay',
    summary: words('Send the smallest possible call through a channel, free of charge'),
    changes: true,
    params: id,
    query: z.object({
      model: z.string().default(''),
      /** Fingerprint of one of several keys; empty for all, of which one has to pass. */
      key: z.string().default(''),
    }),
    reply: z.null(),
    /** `time` in seconds. A refusal also has `kind`, the kind of the failure. */
    replyFields: z.object({ time: z.number() }),
  }),
  try: endpoint({
    method: 'POST',
    path: '/api/channel/try',
    access: 'admin',
    scope: 'relay',
    summary: words('Test a channel before it is saved: a new one or, with its id, a changed one; free of charge'),
    row: ChannelRow,
    // Without an id it begins as a new channel does.
    body: KeyedChannelPatch.extend({
      ...declareShapeFields(channelFields, { id: z.number().int().default(0) }),
      model: field(z.string().default(''), {
        label: words('Model'),
        help: words('Model to test with; empty for the test model'),
        example: 'gpt-4.1-mini',
      }),
    }),
    reply: z.null(),
    /** `time` in seconds; `keys` of several. A refusal also has them, with `kind`, the kind of the failure. */
    replyFields: z.object({ time: z.number(), keys: z.array(TriedKey) }),
  }),
  route: endpoint({
    method: 'GET',
    path: '/api/channel/route',
    access: 'admin',
    scope: 'read',
    summary: words('Why a call of a model would go to which channel'),
    query: z.object({
      model: z.string().min(1),
      group: z.string().default(''),
      /** Decides the group and the fallback models. */
      token_id: z.coerce.number().int().min(0).default(0),
      /** Size of the prompt; 0 for one that every channel takes. */
      prompt_tokens: z.coerce.number().int().min(0).default(0),
      /** Channels that are taken for off. */
      without: filterByIds,
    }),
    reply: RouteExplanation,
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/channel/{id}',
    access: 'admin',
    scope: 'read',
    summary: words('One channel, without its key'),
    params: id,
    reply: Channel,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/channel/',
    access: 'admin',
    scope: 'relay',
    summary: words('Add channels: one for each line of the key, or one with several keys if key_mode is set'),
    row: ChannelRow,
    // The handler requires name and key, with the message of the specification.
    body: KeyedChannelForm,
    reply: z.array(Channel),
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/channel/',
    access: 'admin',
    scope: 'relay',
    summary: words(
      'Change a channel; absent fields and a blank key stay as they are. A whole form leaves its status alone',
    ),
    row: ChannelRow,
    body: KeyedChannelPatch.extend({ version: ReadVersion }),
    reply: Channel,
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/api/channel/{id}',
    access: 'admin',
    scope: 'relay',
    summary: words('Delete a channel'),
    params: id,
    reply: z.null(),
  }),
}

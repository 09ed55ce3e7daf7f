// The channel calls that are about several channels, or about what a provider tells of itself.
import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { described, field } from '../contract/field.ts'
import { channelFields } from './channel-fields.data.ts'
import { Channel, ChannelForm, ChannelPatch, DEFAULT_CHANNEL_TYPE } from './channel.ts'

const id = z.object({ id: z.coerce.number().int() })
const ids = field(z.array(z.number().int()).max(10_000), channelFields.ids)
const tag = field(z.string(), channelFields.tag)

/** A model as OpenAI's list has it. */
const ModelName = z.object({ id: z.string(), object: z.literal('model'), owned_by: z.string() })

export const channelBulk = {
  models: endpoint({
    method: 'GET',
    path: '/api/channel/models',
    access: 'admin',
    scope: 'read',
    summary: 'Every model that a channel type offers',
    reply: z.array(ModelName),
  }),
  modelsByType: endpoint({
    method: 'GET',
    path: '/api/models',
    access: 'user',
    scope: 'read',
    summary: 'Models by channel type',
    reply: z.record(z.string(), z.array(z.string())),
  }),
  testAll: endpoint({
    method: 'GET',
    path: '/api/channel/test',
    access: 'admin',
    scope: 'relay',
    summary: 'Begin to test all channels that nobody switched off',
    changes: true,
    reply: z.null(),
  }),
  updateBalance: endpoint({
    method: 'GET',
    path: '/api/channel/update_balance/{id}',
    access: 'admin',
    scope: 'relay',
    summary: "Ask the provider what is left on a channel's account",
    changes: true,
    params: id,
    reply: z.null(),
    /** In the provider's currency. */
    beside: z.object({ balance: z.number() }),
  }),
  updateBalances: endpoint({
    method: 'GET',
    path: '/api/channel/update_balance',
    access: 'admin',
    scope: 'relay',
    summary: 'Ask for the balances of all enabled channels; those with nothing left are switched off',
    changes: true,
    reply: z.object({ updated: z.number(), failed: z.number() }),
  }),
  fetchModels: endpoint({
    method: 'GET',
    path: '/api/channel/fetch_models/{id}',
    access: 'admin',
    scope: 'relay',
    summary: 'The models that a channel’s provider lists',
    params: id,
    reply: z.array(z.string()),
  }),
  fetchModelsNew: endpoint({
    method: 'POST',
    path: '/api/channel/fetch_models',
    access: 'admin',
    scope: 'relay',
    summary: 'The models that a provider lists, for a channel that does not exist yet',
    body: z.object(
      described(channelFields, {
        base_url: ChannelForm.shape.base_url,
        type: z.number().int().default(DEFAULT_CHANNEL_TYPE),
        key: z.string().default(''),
      }),
    ),
    reply: z.array(z.string()),
  }),
  copy: endpoint({
    method: 'POST',
    path: '/api/channel/copy/{id}',
    access: 'admin',
    scope: 'relay',
    summary: 'Copy a channel with its key and all its settings',
    params: id,
    reply: Channel,
  }),
  deleteDisabled: endpoint({
    method: 'DELETE',
    path: '/api/channel/disabled',
    access: 'admin',
    scope: 'relay',
    summary: 'Delete every disabled channel; gives how many',
    reply: z.number(),
  }),
  deleteMany: endpoint({
    method: 'POST',
    path: '/api/channel/batch',
    access: 'admin',
    scope: 'relay',
    summary: 'Delete channels; gives how many',
    body: z.object({ ids: ids.default([]) }),
    reply: z.number(),
  }),
  tagMany: endpoint({
    method: 'POST',
    path: '/api/channel/batch/tag',
    access: 'admin',
    scope: 'relay',
    summary: 'Give channels a tag, or with null none; gives how many',
    body: z.object({ ids: ids.default([]), tag: ChannelPatch.shape.tag.unwrap().default(null) }),
    reply: z.number(),
  }),
  updateTag: endpoint({
    method: 'PUT',
    path: '/api/channel/tag',
    access: 'admin',
    scope: 'relay',
    summary: 'Change every channel of a tag; what is empty stays as it is, an empty new_tag takes the tag away',
    body: z.object({
      tag: tag.default(''),
      new_tag: field(ChannelPatch.shape.tag, channelFields.new_tag),
      model_mapping: ChannelPatch.shape.model_mapping.nullish(),
      models: ChannelPatch.shape.models.nullish(),
      groups: field(ChannelPatch.shape.group.nullish(), channelFields.groups),
      priority: ChannelPatch.shape.priority.nullish(),
      weight: ChannelPatch.shape.weight.nullish(),
    }),
    reply: z.number(),
  }),
  enableTag: endpoint({
    method: 'POST',
    path: '/api/channel/tag/enabled',
    access: 'admin',
    scope: 'relay',
    summary: 'Enable every channel of a tag',
    body: z.object({ tag: tag.default('') }),
    reply: z.number(),
  }),
  disableTag: endpoint({
    method: 'POST',
    path: '/api/channel/tag/disabled',
    access: 'admin',
    scope: 'relay',
    summary: 'Disable every channel of a tag',
    body: z.object({ tag: tag.default('') }),
    reply: z.number(),
  }),
  repair: endpoint({
    method: 'POST',
    path: '/api/channel/fix',
    access: 'admin',
    scope: 'relay',
    summary: 'Tidy the lists of models and groups and read every channel anew; gives how many were changed',
    reply: z.number(),
  }),
}

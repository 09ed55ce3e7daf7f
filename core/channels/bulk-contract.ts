// The channel endpoints for several channels, and for data that a provider reports.
import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { declareShapeFields, field } from '../contract/field.ts'
import { words } from '../errors.ts'
import { failWithCode } from '../settings/setting.ts'
import { channelFields } from './channel-fields.data.ts'
import { DisableImpact } from './impact.ts'
import { Channel, ChannelForm, ChannelPatch, ChannelRow, DEFAULT_CHANNEL_TYPE, SettingChange } from './channel.ts'

const id = z.object({ id: z.coerce.number().int() })
const ids = field(z.array(z.number().int()).max(10_000), channelFields.ids)
const tag = field(z.string(), channelFields.tag)
/** People enable and disable; only Weir disables automatically. */
const switchedStatus = z
  .number()
  .int()
  .refine((status) => status === 1 || status === 2, failWithCode('status.unknown'))

/** A model as OpenAI's list has it. */
const ModelName = z.object({ id: z.string(), object: z.literal('model'), owned_by: z.string() })

export const channelBulkContract = {
  models: endpoint({
    method: 'GET',
    path: '/api/channel/models',
    access: 'admin',
    scope: 'read',
    summary: words('Every model that a channel type offers'),
    reply: z.array(ModelName),
  }),
  modelsByType: endpoint({
    method: 'GET',
    path: '/api/models',
    access: 'user',
    scope: 'read',
    summary: words('Models by channel type'),
    reply: z.record(z.string(), z.array(z.string())),
  }),
  testAll: endpoint({
    method: 'GET',
    path: '/api/channel/test',
    access: 'admin',
    scope: 'relay',
    summary: words('Start testing all channels that are not disabled manually'),
    changes: true,
    reply: z.null(),
  }),
  updateBalance: endpoint({
    method: 'GET',
    path: '/api/channel/update_balance/{id}',
    access: 'admin',
    scope: 'relay',
    summary: words("Ask the provider what is left on a channel's account"),
    changes: true,
    params: id,
    reply: z.null(),
    /** In the provider's currency. */
    replyFields: z.object({ balance: z.number() }),
  }),
  updateBalances: endpoint({
    method: 'GET',
    path: '/api/channel/update_balance',
    access: 'admin',
    scope: 'relay',
    summary: words('Ask for the balances of all enabled channels; those with nothing left are switched off'),
    changes: true,
    reply: z.object({ updated: z.number(), failed: z.number() }),
  }),
  fetchModels: endpoint({
    method: 'GET',
    path: '/api/channel/fetch_models/{id}',
    access: 'admin',
    scope: 'relay',
    summary: words('The models that a channel’s provider lists'),
    params: id,
    reply: z.array(z.string()),
  }),
  fetchModelsNew: endpoint({
    method: 'POST',
    path: '/api/channel/fetch_models',
    access: 'admin',
    scope: 'relay',
    summary: words('The models that a provider lists, for a channel that does not exist yet'),
    row: ChannelRow,
    body: z.object(
      declareShapeFields(channelFields, {
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
    summary: words('Copy a channel with its key and all its settings'),
    params: id,
    reply: Channel,
  }),
  deleteDisabled: endpoint({
    method: 'DELETE',
    path: '/api/channel/disabled',
    access: 'admin',
    scope: 'relay',
    summary: words('Delete every disabled channel; gives how many'),
    reply: z.number(),
  }),
  deleteMany: endpoint({
    method: 'POST',
    path: '/api/channel/batch',
    access: 'admin',
    scope: 'relay',
    summary: words('Delete channels; gives how many'),
    row: ChannelRow,
    body: z.object({ ids: ids.default([]) }),
    reply: z.number(),
  }),
  tagMany: endpoint({
    method: 'POST',
    path: '/api/channel/batch/tag',
    access: 'admin',
    scope: 'relay',
    summary: words('Give channels a tag, or with null none; gives how many'),
    row: ChannelRow,
    body: z.object({ ids: ids.default([]), tag: ChannelPatch.shape.tag.unwrap().default(null) }),
    reply: z.number(),
  }),
  switchMany: endpoint({
    method: 'POST',
    path: '/api/channel/batch/status',
    access: 'admin',
    scope: 'relay',
    summary: words('Enable or disable several channels; returns their number'),
    body: z.object({ ids: ids.default([]), status: field(switchedStatus, channelFields.status) }),
    reply: z.number(),
  }),
  updateTag: endpoint({
    method: 'PUT',
    path: '/api/channel/tag',
    access: 'admin',
    scope: 'relay',
    summary: words(
      'Change every channel of a tag. Empty fields stay unchanged; an empty new_tag removes the tag, an empty test_model the test model',
    ),
    row: ChannelRow,
    body: z.object({
      tag: tag.default(''),
      new_tag: field(ChannelPatch.shape.tag, channelFields.new_tag),
      model_mapping: ChannelPatch.shape.model_mapping.nullish(),
      models: ChannelPatch.shape.models.nullish(),
      groups: field(ChannelPatch.shape.group.nullish(), channelFields.groups),
      priority: ChannelPatch.shape.priority.nullish(),
      weight: ChannelPatch.shape.weight.nullish(),
      add_models: field(ChannelPatch.shape.models.nullish(), channelFields.add_models),
      remove_models: field(ChannelPatch.shape.models.nullish(), channelFields.remove_models),
      status_code_mapping: ChannelPatch.shape.status_code_mapping.nullish(),
      param_override: ChannelPatch.shape.param_override.nullish(),
      setting: field(SettingChange.nullish(), channelFields.setting_change),
      auto_ban: ChannelPatch.shape.auto_ban.nullish(),
      test_model: ChannelPatch.shape.test_model.nullish(),
      max_input_tokens: ChannelPatch.shape.max_input_tokens.nullish(),
      openai_organization: ChannelPatch.shape.openai_organization.nullish(),
    }),
    reply: z.number(),
  }),
  enableTag: endpoint({
    method: 'POST',
    path: '/api/channel/tag/enabled',
    access: 'admin',
    scope: 'relay',
    summary: words('Enable every channel of a tag'),
    row: ChannelRow,
    body: z.object({ tag: tag.default('') }),
    reply: z.number(),
  }),
  disableTag: endpoint({
    method: 'POST',
    path: '/api/channel/tag/disabled',
    access: 'admin',
    scope: 'relay',
    summary: words('Disable every channel of a tag'),
    row: ChannelRow,
    body: z.object({ tag: tag.default('') }),
    reply: z.number(),
  }),
  consequences: endpoint({
    method: 'POST',
    path: '/api/channel/consequences',
    access: 'admin',
    scope: 'read',
    summary: words(
      'The models that lose their only channel where these, or those of a tag, are switched off or deleted; changes nothing',
    ),
    body: z.object({ ids: ids.default([]), tag: tag.default('') }),
    reply: DisableImpact,
  }),
  repair: endpoint({
    method: 'POST',
    path: '/api/channel/fix',
    access: 'admin',
    scope: 'relay',
    summary: words('Clean up the lists of models and groups and reload every channel; returns how many were changed'),
    reply: z.number(),
  }),
}

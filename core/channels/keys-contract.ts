// The keys of one channel: seen by their ends, added, switched and taken out one by one.
import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { declareShapeFields, field } from '../contract/field.ts'
import { ReadVersion } from '../contract/version.ts'
import { words } from '../errors.ts'
import { channelFields } from './channel-fields.data.ts'
import { ChannelKeyText } from './channel.ts'

const id = z.object({ id: z.coerce.number().int() })
const MOST_AT_ONCE = 1000

const ShownKey = z.object({
  /** Among the keys of the channel, from 1. */
  place: z.number(),
  /** Its ends; of a short one nothing. */
  key: z.string(),
  /** Empty for the only key of a channel. */
  fingerprint: z.string(),
  on: z.boolean(),
  /** Reason and time (epoch seconds) of being disabled automatically; otherwise empty and 0. */
  reason: z.string(),
  since: z.number(),
  /** The hour that it was last used in (epoch seconds, its beginning), and its last failure; of the last week. */
  used_at: z.number(),
  last_error: z.object({ at: z.number(), status: z.number(), error: z.string() }).nullable(),
})
z.globalRegistry.add(ShownKey, { id: 'ChannelKey' })
export type ShownKey = z.infer<typeof ShownKey>

export const CHANNEL_KEY_ACTIONS = ['enable', 'disable', 'remove'] as const

/** Number of changed keys. */
const replyFields = z.object({ changed: z.number() })

export const channelKeysContract = {
  keys: endpoint({
    method: 'GET',
    path: '/api/channel/keys/{id}',
    access: 'admin',
    scope: 'read',
    summary: words("A channel's keys by their ends and fingerprints, and which are on"),
    params: id,
    reply: z.array(ShownKey),
  }),
  addKeys: endpoint({
    method: 'POST',
    path: '/api/channel/keys/{id}',
    access: 'admin',
    scope: 'relay',
    summary: words('Add keys to a channel, which then has several; those that it has already are left out'),
    params: id,
    body: z.object({ key: field(ChannelKeyText, channelFields.new_keys), version: ReadVersion }),
    reply: z.array(ShownKey),
    replyFields,
  }),
  manageKeys: endpoint({
    method: 'POST',
    path: '/api/channel/keys/{id}/manage',
    access: 'admin',
    scope: 'relay',
    summary: words('Enable, disable or remove keys of a channel; the others stay unchanged'),
    params: id,
    body: z.object({
      ...declareShapeFields(channelFields, { keys: z.array(z.string()).min(1).max(MOST_AT_ONCE) }),
      action: field(z.enum(CHANNEL_KEY_ACTIONS), channelFields.key_action),
      version: ReadVersion,
    }),
    reply: z.array(ShownKey),
    replyFields,
  }),
}

// The log row of a channel test that passed: a note with the price of such a call, and nobody's consumption.
import { buildCallRecord } from '../../calls/finish.ts'
import { groupRatio, specialRatio } from '../../groups/group.ts'
import { callRow } from '../../logs/call-row.ts'
import { LOG_TYPE, type NewLogEntry } from '../../calls/log-entry.ts'
import { findPrice } from '../../pricing/price-book.ts'
import type { Settings } from '../../settings/index.ts'
import type { User } from '../../users/user.ts'
import type { ProbeResult } from './probe.ts'

const NAME = 'model test'

/** Undefined where the model has no price to show. */
export function buildTestLogEntry(
  user: User,
  channelId: number,
  probed: ProbeResult,
  settings: Settings,
): NewLogEntry | undefined {
  const { model, upstream_model, usage = null, started_at, ms } = probed
  const price = findPrice(model, settings, settings.SelfUseModeEnabled)
  if (!price) return undefined
  const group = user.group || 'default'
  const group_ratio = groupRatio(group, settings, user.group)
  const record = buildCallRecord({
    call: {
      ...{ id: '', request_id: '', language: 'en', operation: 'chat', dialect: '', asked: model, stream: false },
      ...{ payer: { user_id: user.id, username: user.username, token_id: 0, token_name: NAME }, started_at },
    },
    terms: {
      ...{ group, price, group_ratio, quota_per_unit: settings.QuotaPerUnit },
      special_ratio: specialRatio(group, group, settings) !== undefined,
    },
    course: {
      attempts: [
        {
          ...{ channel_id: channelId, channel_type: 0, key: '', key_index: 0, served: model },
          ...{ model: upstream_model, began: started_at, ms },
          ...{ first_content_ms: ms, result: 'answered' },
        },
      ],
      ...{ served: model, sent: upstream_model, first_content_ms: ms, affinity: false },
    },
    came: { status: 'complete', usage },
    ended_at: started_at + ms,
  })
  return { ...callRow(record), type: LOG_TYPE.system, quota: 0, content: NAME }
}

// The log row of a channel test that passed: a note with the price of such a call, and nobody's consumption.
import { groupRatio, specialRatio } from '../groups/group.ts'
import { LOG_TYPE, type NewLogEntry } from '../logs/log.ts'
import { charge, NOTHING } from '../pricing/charge.ts'
import { findPrice } from '../pricing/price.ts'
import type { Settings } from '../settings/index.ts'
import type { User } from '../users/user.ts'
import type { Probed } from './probe.ts'
import { logEntry } from './record.ts'

const NAME = 'model test'

/** Undefined where the model has no price to show. */
export function testEntry(user: User, channelId: number, probed: Probed, settings: Settings): NewLogEntry | undefined {
  const { model, upstream_model, usage = null, started_at, ms } = probed
  const price = findPrice(model, settings, settings.SelfUseModeEnabled)
  if (!price) return undefined
  const group = user.group || 'default'
  const group_ratio = groupRatio(group, settings, user.group)
  const row = logEntry({
    caller: { ...{ user, token: null, via: 'local', ip: '', request_id: '', language: 'en' } },
    model,
    is_stream: false,
    admission: {
      ...{ group, group_ratio, price, candidates: [], listed: model, pinned: true },
      special_ratio: specialRatio(group, group, settings) !== undefined,
    },
    outcome: {
      ...{ status: 'complete', channel_id: channelId, tried: [channelId], usage, first_content_ms: ms },
      ...(upstream_model === model ? {} : { upstream_model }),
    },
    charge: usage ? charge(price, group_ratio, usage, settings.QuotaPerUnit, started_at) : NOTHING,
    quota_per_unit: settings.QuotaPerUnit,
    hold_id: '',
    started_at,
    now: started_at + ms,
  })
  return { ...row, type: LOG_TYPE.system, quota: 0, token_name: NAME, content: NAME }
}

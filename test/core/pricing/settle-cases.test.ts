// The worked cases of holding and settling, on a real ledger.
import { expect, test } from 'vitest'
import { GatewayError } from '../../../core/errors.ts'
import { estimateCost } from '../../../core/pricing/estimate.ts'
import { describeWithStorage } from '../../support/databases.ts'
import { newLog } from '../../storage/samples.ts'
import { openWorld } from '../quota/world.ts'
import { cases, isOffered, priceOf, QUOTA_PER_UNIT } from './cases.ts'

const settles = cases.filter(({ kind, given }) => kind === 'settle' && !given.playground)
const holds = cases.filter((one) => one.kind === 'preconsume' && isOffered(one))

describeWithStorage('the billing cases', (open) => {
  test.skipIf(cases.length === 0)('are at hand', () => expect(holds.length + settles.length).toBeGreaterThan(8))

  for (const { name, given, expect: expected } of holds) {
    test(`hold: ${name}`, async () => {
      const { token } = given
      const world = await openWorld(open, { quota: given.user_quota, remain_quota: token.remain_quota ?? 0 })
      if (token.unlimited) {
        await world.ledger.setBudget({ id: world.token, remain_quota: 0, unlimited_quota: true })
      }
      const asked = { prompt_estimate: given.prompt_tokens_estimate, max_tokens: given.max_tokens }
      const settings = {
        PreConsumedQuota: given.pre_consumed_quota_option,
        QuotaPerUnit: QUOTA_PER_UNIT,
      }
      const { quota, free } = estimateCost(priceOf(given), given.group_ratio, asked, settings)
      const work = world.ledger.hold(world.byToken, quota, { free })
      if (expected.result === 'reject') {
        const error = await work.then(
          () => undefined,
          (reason: unknown) => reason as GatewayError,
        )
        expect(error?.relay).toEqual({ status: expected.http_status, code: expected.error })
        return
      }
      expect((await work).amount).toBe(expected.hold)
      // What is left to hold is what the case calls the balance after the hold.
      const left = expected.user_quota_after
      await expect(world.ledger.hold(world.byUser, left + 1)).rejects.toMatchObject({ parameters: { balance: left } })
    })
  }

  for (const { name, given, expect: expected } of settles) {
    test(`settle: ${name}`, async () => {
      const { user, token } = given
      const world = await openWorld(open, { quota: user.quota, remain_quota: token.remain_quota ?? 0 })
      if (token.unlimited) {
        await world.ledger.setBudget({ id: world.token, remain_quota: 0, unlimited_quota: true })
      }
      const hold = await world.ledger.hold(world.byToken, given.hold)
      const quota = given.actual_quota
      const settlement = { quota, channel_id: world.channel, billable: true }
      if (given.outcome === 'failure') await world.ledger.release(hold)
      else await world.ledger.settle(hold, settlement, newLog({ quota }))

      expect(await world.storage.users.find(world.user)).toMatchObject({
        quota: expected.user.quota,
        // The case may begin with counts from before.
        used_quota: expected.user.used_quota - user.used_quota,
        request_count: expected.user.request_count - user.request_count,
      })
      const spent = expected.channel.used_quota - given.channel.used_quota
      expect(await world.storage.channels.find(world.channel)).toMatchObject({ used_quota: spent })
      expect(await world.budget()).toMatchObject(expected.token)
      const logs = await world.logs()
      expect(logs).toHaveLength(expected.consume_log_rows)
      if (logs.length > 0) expect(logs[0]?.quota).toBe(expected.consume_log_quota)
    })
  }
})

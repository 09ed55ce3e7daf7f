// The worked cases of holding and settling, on a real ledger.
import { expect } from 'vitest'
import { test } from 'vitest'
import { GatewayError } from '../../../core/errors.ts'
import { estimate } from '../../../core/pricing/estimate.ts'
import { describeBothDatabases } from '../../support/databases.ts'
import { newLog } from '../../storage/samples.ts'
import { openWorld } from '../quota/world.ts'
import { casesOf, groupRatioIn, present, priceIn, quotaPerUnitIn, type Case } from './cases.ts'

type Numbers = Record<string, number>
const part = (of: Case['given'], name: string) => (of[name] ?? {}) as Numbers & { unlimited?: boolean }

const settles = casesOf('settle').filter(({ given }) => given.playground !== true)
/** Trusting the rich with no hold at all is not done: it lets them overspend together. */
const holds = casesOf('preconsume').filter(({ given }) => (given.trust_policy as { kind: string }).kind === 'off')

describeBothDatabases('the billing cases', (open) => {
  if (!present) test.skip('the billing cases are not at hand', () => expect(present).toBe(true))

  for (const { name, given, expect: expected } of holds) {
    test(`hold: ${name}`, async () => {
      const token = part(given, 'token')
      const world = await openWorld(open, { quota: Number(given.user_quota), remain_quota: token.remain_quota ?? 0 })
      if (token.unlimited) {
        await world.ledger.setBudget({ id: world.token, remain_quota: 0, unlimited_quota: true })
      }
      const asked = { prompt_estimate: Number(given.prompt_tokens_estimate), max_tokens: Number(given.max_tokens) }
      const settings = {
        PreConsumedQuota: Number(given.pre_consumed_quota_option),
        QuotaPerUnit: quotaPerUnitIn(given),
      }
      const { quota, free } = estimate(priceIn(given), groupRatioIn(given), asked, settings)
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
      const left = Number(expected.user_quota_after)
      await expect(world.ledger.hold(world.byUser, left + 1)).rejects.toMatchObject({ parameters: { balance: left } })
    })
  }

  for (const { name, given, expect: expected } of settles) {
    test(`settle: ${name}`, async () => {
      const [user, token] = [part(given, 'user'), part(given, 'token')]
      const world = await openWorld(open, { quota: user.quota, remain_quota: token.remain_quota ?? 0 })
      if (token.unlimited) {
        await world.ledger.setBudget({ id: world.token, remain_quota: 0, unlimited_quota: true })
      }
      const hold = await world.ledger.hold(world.byToken, Number(given.hold))
      const quota = Number(given.actual_quota)
      const settlement = { quota, channel_id: world.channel, billable: true }
      if (given.outcome === 'failure') await world.ledger.release(hold)
      else await world.ledger.settle(hold, settlement, newLog({ quota }))

      const [userAfter, tokenAfter, channelAfter] = [
        part(expected, 'user'),
        part(expected, 'token'),
        part(expected, 'channel'),
      ]
      expect(await world.storage.users.find(world.user)).toMatchObject({
        quota: userAfter.quota,
        // The case may begin with counts from before.
        used_quota: (userAfter.used_quota ?? 0) - (user.used_quota ?? 0),
        request_count: (userAfter.request_count ?? 0) - (user.request_count ?? 0),
      })
      const spent = (channelAfter.used_quota ?? 0) - (part(given, 'channel').used_quota ?? 0)
      expect(await world.storage.channels.find(world.channel)).toMatchObject({ used_quota: spent })
      expect(await world.budget()).toMatchObject(tokenAfter)
      const logs = await world.logs()
      expect(logs).toHaveLength(Number(expected.consume_log_rows))
      if (logs.length > 0) expect(logs[0]?.quota).toBe(expected.consume_log_quota)
    })
  }
})

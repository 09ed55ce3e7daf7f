// What the gateway itself must have: set-up done, channels that work, settings that make sense, a ledger that adds up.
import { CHANNEL_STATUS, type Channel } from '../../core/channels/channel.ts'
import { cleanBaseUrl } from '../../core/contract/base-url.ts'
import type { WeirClient } from '../../core/contracts.ts'
import type { Language } from '../../core/errors.ts'
import { testChannels } from '../channel-test.ts'
import { failed, ok, warn, type Finding } from './check.ts'

/** The checks that ask the gateway. */
export async function checkGateway(
  weir: WeirClient,
  options: { test: boolean; language: Language },
): Promise<Finding[]> {
  const status = await weir.site.status()
  if (!status.setup) return [failed('set-up', 'not done', 'weir init')]
  const { data: channels } = await weir.channels.list({ page_size: 100 })
  const enabled = channels.filter(({ status }) => status === CHANNEL_STATUS.enabled)
  return [
    ok('set-up', `done (version ${status.version})`),
    ...checkChannels(channels, enabled),
    ...(options.test ? await checkByTest(weir, enabled, options.language) : []),
    ...checkSettings(await weir.settings.list()),
    await checkLedger(weir),
  ]
}

function checkChannels(channels: readonly Channel[], enabled: readonly Channel[]): Finding[] {
  const off = channels.filter(({ status }) => status === CHANNEL_STATUS.auto_disabled)
  return [
    enabled.length > 0
      ? ok('channels', `${enabled.length} enabled of ${channels.length}`)
      : failed(
          'channels',
          channels.length === 0 ? 'none' : `none enabled of ${channels.length}`,
          'weir channels add, or weir channels edit ID --enable',
        ),
    ...off.map(({ id, name }) =>
      warn(
        `channel ${id}`,
        `${name} was switched off after failures`,
        `weir channels test ${id}, then weir channels edit ${id} --enable`,
      ),
    ),
  ]
}

async function checkByTest(weir: WeirClient, enabled: readonly Channel[], language: Language): Promise<Finding[]> {
  const results = await testChannels(weir, enabled, { language })
  return results.map(({ id, name, ok: works, time, message }) =>
    works
      ? ok(`channel ${id}`, `${name} answered in ${time?.toFixed(2)} s`)
      : failed(`channel ${id}`, `${name}: ${message}`, `weir channels edit ${id} --key … or --base-url …`),
  )
}

function checkSettings(settings: readonly { key: string; value: string }[]): Finding[] {
  const value = (key: string) => settings.find((one) => one.key === key)?.value ?? ''
  const address = value('ServerAddress')
  const findings = [checkAddress(address)]
  if (value('LogConsumeEnabled') === 'false') {
    findings.push(
      warn('LogConsumeEnabled', 'off: calls are charged but leave no row', 'weir settings set LogConsumeEnabled true'),
    )
  }
  return findings
}

function checkAddress(address: string): Finding {
  if (address === '')
    return warn(
      'ServerAddress',
      'empty: links and examples name this machine',
      'weir settings set ServerAddress https://your.name',
    )
  if (!/^https?:\/\//.test(address) || !URL.canParse(address)) {
    return failed(
      'ServerAddress',
      `${address} is not an http address`,
      'weir settings set ServerAddress https://your.name',
    )
  }
  return address.endsWith('/')
    ? warn('ServerAddress', `${address} ends with a slash`, `weir settings set ServerAddress ${cleanBaseUrl(address)}`)
    : ok('ServerAddress', address)
}

async function checkLedger(weir: WeirClient): Promise<Finding> {
  const { ok: balanced, faults, open_holds } = await weir.quota.verify()
  return balanced
    ? ok('ledger', `every balance equals its entries, every chain is whole; ${open_holds} open holds`)
    : failed('ledger', `${faults.length} faults in the books`, 'weir ledger verify shows them')
}

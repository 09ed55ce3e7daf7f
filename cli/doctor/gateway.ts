// Checks of the gateway: setup, working channels, consistent settings, complete usage statistics, a correct ledger.
import { setTimeout as wait } from 'node:timers/promises'
import { type Channel, CHANNEL_STATUS } from '../../core/channels/channel.ts'
import type { WeirClient } from '../../core/contracts.ts'
import { fillTemplate, type Language } from '../../core/errors.ts'
import { testChannelsInTurn } from '../channel-test.ts'
import type { MoneyView } from '../output/format.ts'
import { asUntranslatedText } from '../language.ts'
import { listEveryChannel } from '../nouns/channel.ts'
import { describeFinding, getRepairCommand } from '../nouns/finding.ts'
import { buildFailedFinding, type DoctorFinding, buildGoodFinding, buildWarningFinding } from './check.ts'
import { words } from '../texts.ts'

// A comparison of the usage statistics with the log. Counts that a killed process had not written are missing in the
// statistics.

const HOUR_SECONDS = 3600
const HOURS = 24
/** Maximum delay before a process writes its counts, in addition to the interval of the setting, in seconds. */
const GRACE_SECONDS = 300
const POLL_MS = 200

/** Compares the last day, up to the last hour that is completely written. `interval` is in minutes. */
export async function checkUsage(weir: WeirClient, interval: number): Promise<DoctorFinding> {
  const to = Math.floor((Date.now() / 1000 - interval * 60 - GRACE_SECONDS) / HOUR_SECONDS) * HOUR_SECONDS
  const from = to - HOURS * HOUR_SECONDS
  const [logged, { total }] = await Promise.all([
    weir.logs.stat({ start_timestamp: from, end_timestamp: to - 1 }),
    weir.usage.query({ from: String(from), to: String(to) }),
  ])
  // If old log rows were deleted, the statistics have more, which is correct.
  if (total.quota >= logged.quota)
    return buildGoodFinding('usage', words('it has all that the log has of the last day'))
  return buildWarningFinding(
    'usage',
    words('the log of the last day has more than was summed up'),
    asUntranslatedText('weir usage rebuild --since 2d'),
    {
      repair: {
        what: words('recalculate it from the log'),
        async run() {
          await weir.usage.rebuild({ from: String(from), to: String(to) })
          while ((await weir.usage.rebuildProgress()).running) await wait(POLL_MS)
        },
      },
    },
  )
}

/** Runs the checks that call the gateway. */
export async function checkGateway(
  weir: WeirClient,
  options: { test: boolean; language: Language },
): Promise<DoctorFinding[]> {
  const { setup, version, ...money } = await weir.site.status()
  if (!setup) return [buildFailedFinding('set-up', words('not done'), asUntranslatedText('weir init'))]
  const channels = await listEveryChannel(weir)
  const enabled = channels.filter(({ status }) => status === CHANNEL_STATUS.enabled)
  const settings = await weir.settings.list()
  const getValue = (key: string) => settings.find((one) => one.key === key)?.value ?? ''
  return [
    buildGoodFinding('set-up', fillTemplate(words('done (version {version})'), { version })),
    ...(await checkProxies(weir)),
    ...checkChannels(channels, enabled),
    ...(await checkAttention(weir, money)),
    ...(options.test ? await checkByTest(weir, enabled, options.language) : []),
    checkAddress(getValue('ServerAddress')),
    ...(getValue('LogConsumeEnabled') === 'false' ? [NO_LOG] : []),
    ...(getValue('DataExportEnabled') === 'false'
      ? []
      : [await checkUsage(weir, Number(getValue('DataExportInterval')))]),
    await checkLedger(weir),
  ]
}

/** Shows the proxies that the gateway obeys; empty if there are none. */
async function checkProxies(weir: WeirClient): Promise<DoctorFinding[]> {
  const { proxies } = await weir.site.gateway()
  return proxies.length === 0 ? [] : [buildGoodFinding('proxy', asUntranslatedText(proxies.join(' ')))]
}

function checkChannels(channels: readonly Channel[], enabled: readonly Channel[]): DoctorFinding[] {
  const [on, all] = [enabled.length, channels.length]
  return [
    on > 0
      ? buildGoodFinding('channels', fillTemplate(words('{on} enabled of {all}'), { on, all }))
      : buildFailedFinding(
          'channels',
          all === 0 ? words('none', { context: 'channel' }) : fillTemplate(words('none enabled of {all}'), { all }),
          words('weir channels add, or weir channels enable NAME'),
        ),
  ]
}

/** Returns the items that need attention, by the same rules as on the dashboard. */
async function checkAttention(weir: WeirClient, money: MoneyView): Promise<DoctorFinding[]> {
  return (await weir.attention.list()).map((finding) => {
    const { kind, id, name } = finding
    const enable = async () => {
      await weir.channels.test({ id })
      await weir.channels.update({ id, status: CHANNEL_STATUS.enabled })
    }
    return buildWarningFinding(
      id > 0 ? 'channel' : name === '' ? 'gateway' : 'model',
      describeFinding(finding, money),
      asUntranslatedText(getRepairCommand(finding)),
      {
        about: id > 0 ? String(id) : name,
        ...(kind === 'channel_off'
          ? { repair: { what: words('test it, and enable it if it answers'), run: enable } }
          : {}),
      },
    )
  })
}

async function checkByTest(
  weir: WeirClient,
  enabled: readonly Channel[],
  language: Language,
): Promise<DoctorFinding[]> {
  const results = await testChannelsInTurn(weir, enabled, { language })
  return results.map(({ id, name, ok: works, time, message }) => {
    const about = { about: String(id) }
    const seconds = time?.toFixed(2)
    return works
      ? buildGoodFinding(
          'channel',
          fillTemplate(words('{name} answered in {seconds} s'), { name, seconds: seconds ?? '' }),
          about,
        )
      : buildFailedFinding(
          'channel',
          asUntranslatedText(`${name}: ${message}`),
          fillTemplate(words('weir channels edit {id} --key … or --base-url …'), { id }),
          about,
        )
  })
}

const SET_ADDRESS = asUntranslatedText('weir settings set ServerAddress https://your.name')
const NO_LOG = buildWarningFinding(
  'setting',
  words('off: calls are charged but leave no row'),
  asUntranslatedText('weir settings set LogConsumeEnabled true'),
  { about: 'LogConsumeEnabled' },
)

function checkAddress(address: string): DoctorFinding {
  const about = { about: 'ServerAddress' }
  if (address === '')
    return buildWarningFinding('setting', words('empty: links and examples name this machine'), SET_ADDRESS, about)
  if (!/^https?:\/\//.test(address) || !URL.canParse(address))
    return buildFailedFinding(
      'setting',
      fillTemplate(words('{address} is not an http address'), { address }),
      SET_ADDRESS,
      about,
    )
  return buildGoodFinding('setting', asUntranslatedText(address), about)
}

async function checkLedger(weir: WeirClient): Promise<DoctorFinding> {
  const { ok: balanced, faults, open_holds } = await weir.quota.verify()
  return balanced
    ? buildGoodFinding(
        'ledger',
        fillTemplate(words('every balance equals its entries, every chain is whole; {open_holds} open holds'), {
          open_holds,
        }),
      )
    : buildFailedFinding(
        'ledger',
        fillTemplate(words('{faults} faults in the books'), { faults: faults.length }),
        words('weir ledger verify shows them'),
      )
}

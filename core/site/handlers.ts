// The site's public endpoints.
import type { Handlers } from '../auth/handler.ts'
import { fail } from '../errors.ts'
import { seconds } from '../ports/clock.ts'
import type { Web } from '../ports/web.ts'
import type { Ledger } from '../quota/ledger.ts'
import { declaredSettings, type SettingKey, type Settings } from '../settings/index.ts'
import type { Setting } from '../settings/setting.ts'
import type { site, Status } from './contract.ts'
import { latestRelease } from './release.ts'
import { isHere, setUp, type SetupPorts } from './setup.ts'

export function createSiteHandlers(ports: SetupPorts & { web: Web; ledger: Ledger }): Handlers<typeof site> {
  const { storage, snapshot, version, clock, ledger } = ports
  const startTime = seconds(clock)
  return {
    status: async () => status(snapshot.current(), version, startTime, (await storage.setup.find()) !== null),
    async check() {
      await storage.setup.find().catch((cause: unknown) => fail('storage.away', {}, { cause }))
      return null
    },
    async gateway() {
      const { version: database_version, bytes: database_bytes, ...database } = await storage.setup.database()
      const open_holds = storage.ledger.exclusive ? ledger.openHolds() : await storage.ledger.countHolds()
      return {
        database: storage.kind,
        database_version,
        database_bytes,
        ...database,
        open_holds,
        owed_charges: ledger.owed().charges,
      }
    },
    async setupStatus(_, { caller }) {
      if (await storage.setup.find()) return { status: true, root_init: false, database_type: '', code_required: false }
      const root_init = (await storage.users.findRoot()) !== null
      return { status: false, root_init, database_type: storage.kind, code_required: !isHere(caller) }
    },
    setup: (request, context) => setUp(ports, request, context),
    release: () => latestRelease(ports.web, snapshot.current()['general_setting.release_url'], version),
    notice: async () => snapshot.current().Notice,
    about: async () => snapshot.current().About,
    home: async () => snapshot.current().HomePageContent,
  }
}

/** The public names of settings, with their keys. */
const published = Object.entries(declaredSettings as Record<string, Setting<unknown>>).flatMap(([key, declaration]) =>
  declaration.public === undefined ? [] : [[declaration.public, key as SettingKey] as const],
)

function status(settings: Settings, version: string, start_time: number, setup: boolean): Status {
  const shown = Object.fromEntries(published.map(([name, key]) => [name, settings[key]]))
  // Payment services report to the server address and send payers back there.
  const isReachable = settings.ServerAddress !== ''
  return {
    ...(shown as Omit<Status, 'version' | 'start_time' | 'setup'>),
    version,
    start_time,
    setup,
    enable_online_topup: isReachable && settings.PayAddress !== '' && settings.EpayId !== '' && settings.EpayKey !== '',
    enable_stripe_topup:
      isReachable && settings['stripe.secret_key'] !== '' && settings['stripe.webhook_secret'] !== '',
    // The ledger writes what arrives together in one commit, always; nothing is collected beyond it.
    enable_batch_update: false,
  }
}

// The public data of the site, and its first setup.
import type { Feature } from '../feature.ts'
import { siteContract } from './contract.ts'
import { z } from 'zod'
import type { ContractHandlers } from '../auth/caller.ts'
import type { SignInAttempt } from '../auth/sign-in.ts'
import { fail } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { Secrets } from '../ports/secrets.ts'
import type { Storage } from '../ports/storage.ts'
import { parseJsonBody, type WebClient } from '../ports/web.ts'
import type { Ledger } from '../quota/ledger.ts'
import type { Settings } from '../settings/index.ts'
import type { SettingsSnapshot } from '../settings/snapshot.ts'
import type { PublicStatus } from './status.ts'
import { isLocalCaller, setUpSite } from './setup.ts'

// Is there a newer version? Asked at the address that the operator set, the guarded way.

const Release = z.object({ tag_name: z.string().max(100), body: z.string().default('') })
const TIMEOUT_MS = 10_000
const LONGEST_BODY = 20_000

/** @throws GatewayError release.unset, release.failed */
async function latestRelease(web: WebClient, url: string, current: string) {
  if (url === '') fail('release.unset')
  const headers = { accept: 'application/json', 'user-agent': 'weir' }
  const reply = await web
    .send({ method: 'GET', url, headers, timeout_ms: TIMEOUT_MS })
    .catch((cause: unknown) => fail('release.failed', {}, { cause }))
  const release = Release.safeParse(parseJsonBody(reply))
  if (reply.status !== 200 || !release.success) fail('release.failed')
  const { tag_name, body } = release.data
  return { current, tag_name, body: body.slice(0, LONGEST_BODY), newer: isNewer(tag_name, current) }
}

/** Compares `v1.2.3` number by number; what is behind a dash counts as older than nothing. */
export function isNewer(tag: string, current: string): boolean {
  const numbers = (version: string) => (/^v?(\d+(?:\.\d+)*)/i.exec(version)?.[1] ?? '0').split('.').map(Number)
  const [latest, installed] = [numbers(tag), numbers(current)]
  for (let place = 0; place < Math.max(latest.length, installed.length); place += 1) {
    const difference = (latest[place] ?? 0) - (installed[place] ?? 0)
    if (difference !== 0) return difference > 0
  }
  return current.includes('-') && !tag.includes('-')
}

interface SitePorts {
  storage: Storage
  ledger: Ledger
  secrets: Secrets
  clock: Clock
  web: WebClient
  /** The proxy variables of the environment with their values, without passwords. */
  proxies?: readonly string[]
  snapshot: SettingsSnapshot
  attempt: SignInAttempt
  version: string
  /** Printed once in the terminal, for a setup from another machine. */
  setupCode: string
  settings(): Settings
  publicStatus(): Promise<PublicStatus>
}

function createSiteHandlers(ports: SitePorts): ContractHandlers<typeof siteContract> {
  const { storage, snapshot, version, ledger } = ports
  return {
    status: ports.publicStatus,
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
        owed_charges: ledger.getBacklog().charges,
        proxies: [...(ports.proxies ?? [])],
      }
    },
    async setupStatus(_, { caller }) {
      if (await storage.setup.find()) return { status: true, root_init: false, database_type: '', code_required: false }
      const root_init = (await storage.users.findRoot()) !== null
      return { status: false, root_init, database_type: storage.kind, code_required: !isLocalCaller(caller) }
    },
    setup: (request, context) => setUpSite(ports, request, context),
    release: () => latestRelease(ports.web, snapshot.current()['general_setting.release_url'], version),
    notice: async () => snapshot.current().Notice,
    about: async () => snapshot.current().About,
    home: async () => snapshot.current().HomePageContent,
  }
}

export const siteFeature: Feature<SitePorts, typeof siteContract> = {
  contract: siteContract,
  handlers: createSiteHandlers,
}

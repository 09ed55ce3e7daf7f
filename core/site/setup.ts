// The first setup: who may run it before there are users, and its results.
import { toAuditAuthor } from '../audit/audit.ts'
import type { Caller, HandlerContext } from '../auth/caller.ts'
import type { SignInAttemptPorts } from '../auth/sign-in.ts'
import { fail, GatewayError, type Language } from '../errors.ts'
import { seconds, type Clock } from '../ports/clock.ts'
import type { Storage } from '../ports/storage.ts'
import type { Ledger } from '../quota/ledger.ts'
import type { Settings } from '../settings/index.ts'
import type { SettingsSnapshot } from '../settings/snapshot.ts'
import { createUserAccount, creditWelcomeQuota } from '../users/create-user.ts'
import { USER_ROLE, type User } from '../users/user.ts'

/** The first balance of the super administrator, in quota units. */
export const ROOT_INITIAL_QUOTA = 100_000_000
const FIRST_BALANCE = { quota: ROOT_INITIAL_QUOTA, kind: 'setup' } as const

export interface SetupRequest {
  username: string
  password: string
  confirmPassword: string
  SelfUseModeEnabled: boolean
  DemoSiteEnabled: boolean
  code: string
}

export interface SetupPorts extends SignInAttemptPorts {
  storage: Storage
  ledger: Ledger
  clock: Clock
  snapshot: SettingsSnapshot
  version: string
  /** Printed once in the terminal, for a setup from another machine. */
  setupCode: string
  settings(): Settings
}

/**
 * The terminal on the host needs no setup code. Network clients do, also on this machine, since a page of any site, or
 * another user of the host, can reach its ports.
 */
export const isLocalCaller = (caller: Caller) => caller.via === 'local'

/** Is Weir set up? It stays so: once it is, storage is not asked again. */
export function createIsSetUp({ setup }: Pick<Storage, 'setup'>): () => Promise<boolean> {
  let known = false
  return async () => (known ||= (await setup.find()) !== null)
}

/**
 * Creates the super administrator (unless one exists), stores the mode of use, and marks Weir as set up. May be run
 * again after a crash in its middle. Gives the super administrator.
 * @throws GatewayError setup.*, user.limits
 */
export async function setUpSite(ports: SetupPorts, request: SetupRequest, context: HandlerContext): Promise<User> {
  const { storage, secrets, clock, snapshot, version, setupCode, attempt } = ports
  const { caller } = context
  if (await storage.setup.find()) fail('setup.done')
  if (!isLocalCaller(caller))
    await attempt({ kind: 'setup', of: '', user_id: 0 }, context, async () => {
      if (!secrets.same(request.code.trim(), setupCode)) fail('setup.not_here')
    })
  if (request.SelfUseModeEnabled && request.DemoSiteEnabled) fail('setting.modes')
  const { language } = caller
  const known = await storage.users.findRoot()
  if (known) await creditWelcomeQuota(ports, known, { ...FIRST_BALANCE, language })
  const root = known ?? (await createRoot(ports, request, language))
  await snapshot.change(
    [
      { key: 'SelfUseModeEnabled', value: String(request.SelfUseModeEnabled) },
      { key: 'DemoSiteEnabled', value: String(request.DemoSiteEnabled) },
      // On for new installations; older ones hold as they did.
      { key: 'StrictHold', value: 'true' },
    ],
    toAuditAuthor(caller),
  )
  if (!(await storage.setup.insert({ version, initialized_at: seconds(clock) }))) fail('setup.done')
  return root
}

async function createRoot(
  ports: SetupPorts,
  { username, password, confirmPassword }: SetupRequest,
  language: Language,
): Promise<User> {
  if (username.trim() === '') fail('setup.username')
  if (password.length < 8) fail('setup.password_short')
  if (password !== confirmPassword) fail('setup.password_mismatch')
  const account = { username, password, display_name: 'Root User', role: USER_ROLE.root, ...FIRST_BALANCE, language }
  return createUserAccount(ports, account).catch(async (error: unknown) => {
    // Somebody else's set-up was faster: there can only be one super administrator.
    const raced = error instanceof GatewayError && error.code === 'user.name_taken'
    if (raced && (await ports.storage.users.findRoot())) fail('setup.done')
    throw error
  })
}

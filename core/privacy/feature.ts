// Personal data: export for the user, and erasure.
import type { Feature } from '../feature.ts'
import { privacyContract } from './contract.ts'
import { type ContractHandlers, type HandlerContext, requireUser } from '../auth/caller.ts'
import type { SignInAttempt } from '../auth/sign-in.ts'
import type { FileReply } from '../contract/replies.ts'
import { fail } from '../errors.ts'
import type { CleanUp } from '../logs/clean-up.ts'
import { type Clock, seconds } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import type { Random } from '../ports/random.ts'
import type { Secrets } from '../ports/secrets.ts'
import type { Storage } from '../ports/storage.ts'
import type { Ledger } from '../quota/ledger.ts'
import type { Settings } from '../settings/index.ts'
import { isCallerAbove } from '../users/authority.ts'
import { type User, toShownUser, isRoot } from '../users/user.ts'
import { withoutAdminInfo, type ExpiredRows } from '../logs/log.ts'
import type { LogEntry } from '../calls/log-entry.ts'
import { HOLDINGS, isHolding, LOG_TABLE, type Holding } from './holdings.data.ts'
import { requireRecentAuthentication } from '../auth/second-factors.ts'
import { deregisterUser, type AccountPorts } from '../users/account.ts'
import { auditUserChange } from '../users/administration.ts'

// Exports all personal data of a user as one JSON file, which is built while it is sent.

type CopiedRow = Record<string, unknown>

const ROWS = 500

/**
 * Yields pieces of the file: `{ weir, made_at, user_id, data: { table: rows } }`, tables in the order of the holdings.
 */
async function* exportUserData(
  storage: Storage,
  user: User,
  { version, now }: { version: string; now: number },
): AsyncGenerator<string> {
  const head = { weir: version, made_at: new Date(now).toISOString(), user_id: user.id }
  yield `${JSON.stringify(head).slice(0, -1)},"data":{`
  let comma = ''
  for (const [table, holding] of Object.entries(HOLDINGS)) {
    if (!isHolding(holding) || holding.given.length === 0) continue
    yield `${comma}\n${JSON.stringify(table)}:`
    yield* formatList(readPages(storage, user, table, holding))
    comma = ','
  }
  yield '\n}}\n'
}

async function* formatList(pages: AsyncIterable<CopiedRow[]>): AsyncGenerator<string> {
  let before = '['
  for await (const rows of pages) {
    if (rows.length === 0) continue
    yield before + rows.map((row) => `\n${JSON.stringify(row)}`).join(',')
    before = ','
  }
  yield before === '[' ? '[]' : ']'
}

async function* readPages(
  storage: Storage,
  user: User,
  table: string,
  { given }: Holding,
): AsyncGenerator<CopiedRow[]> {
  if (table === LOG_TABLE) return yield* logPages(storage, user.id, given)
  for await (const rows of storage.privacy.pages(table, user.id))
    // The secret of the user's webhook is never exported.
    yield table === 'users' ? rows.map((row) => ({ ...row, setting: toShownUser(user).setting })) : rows
}

async function* logPages({ logs }: Storage, user_id: number, given: readonly string[]): AsyncGenerator<CopiedRow[]> {
  for (let last: LogEntry | undefined; ;) {
    const rows: LogEntry[] = await logs.newest({ user_id }, ROWS, last)
    yield rows.map((row) => {
      const shown: CopiedRow = withoutAdminInfo(row)
      return Object.fromEntries(given.map((column) => [column, shown[column]]))
    })
    if (rows.length < ROWS) return
    last = rows.at(-1)
  }
}

// Erases a user: names, addresses and secrets at once, rows of the log in steps. Entries of the ledger stay, under the
// number of an account without an owner.

const DAY = 86_400
/** Data that running calls and rows being moved write after the request is erased for this long, in seconds. */
const SETTLING = DAY

interface ForgettingPorts extends AccountPorts {
  cleanUp: CleanUp
}

/** Times in epoch seconds; 0 if not requested, or not done. */
interface ForgettingState {
  asked_at: number
  done_at: number
  /** Number of the user's rows that are still in the log. */
  left: number
}

/** Selects all rows of a user, of any time. */
const selectAllRows = (user_id: number, now: number): ExpiredRows => ({ before: now + DAY, user_id })

async function getForgettingState({ storage, clock }: ForgettingPorts, id: number): Promise<ForgettingState> {
  const found = await storage.privacy.find(id)
  if (!found) return { asked_at: 0, done_at: 0, left: 0 }
  const { rows } = await storage.logs.extent(selectAllRows(id, seconds(clock)))
  return { asked_at: found.asked_at, done_at: found.done_at ?? 0, left: rows }
}

/**
 * Deletes the user if needed, and erases their data for good.
 * @throws GatewayError user.missing, user.edit_denied, user.root_delete, user.owns_team, access.step_up
 */
async function forgetUserData(ports: ForgettingPorts, id: number, context: HandlerContext): Promise<void> {
  const { storage, settings, clock } = ports
  const target = (await storage.users.find(id)) ?? fail('user.missing')
  if (!isCallerAbove(context.caller, target.role)) fail('user.edit_denied')
  if (isRoot(target)) fail('user.root_delete')
  requireRecentAuthentication(context, settings().StepUpMinutes, seconds(clock))
  const now = seconds(clock)
  await storage.transaction(async (within) => {
    if (target.DeletedAt === null) await deregisterUser(within, target, now)
    await within.privacy.forget(target, now)
    await auditUserChange(ports, within, context.caller, 'user.forget', target, '', '')
  })
  await storage.announce({ topic: 'users', id })
  await storage.announce({ topic: 'tokens', id: 0 })
}

/** Continues all erasures. Safe to repeat and to interrupt. */
async function continueAllErasures({ storage, clock, cleanUp }: ForgettingPorts): Promise<void> {
  for (const { user_id, asked_at } of await storage.privacy.pending()) {
    const now = seconds(clock)
    // A clean-up that removes old rows has precedence.
    if ((await cleanUp.start([selectAllRows(user_id, now)])) === null) return
    await storage.privacy.forgetAgain(user_id)
    if (now - asked_at >= SETTLING) await storage.privacy.done(user_id, now)
  }
}

interface PrivacyPorts {
  storage: Storage
  ledger: Ledger
  secrets: Secrets
  clock: Clock
  random: Random
  logger: Logger
  attempt: SignInAttempt
  cleanUp: CleanUp
  version: string
  settings(): Settings
}

function createPrivacyHandlers(ports: PrivacyPorts): ContractHandlers<typeof privacyContract> {
  const { storage, clock, logger, version } = ports
  const file = (user: User): FileReply => ({
    content_type: 'application/json; charset=utf-8',
    filename: `weir-data-${user.id}.json`,
    pieces: exportUserData(storage, user, { version, now: clock.now() }),
  })
  return {
    async exportSelf(_, { caller }) {
      const { id } = requireUser(caller)
      return file((await storage.users.find(id)) ?? fail('user.missing'))
    },
    async export({ user_id }, { caller }) {
      const user = (await storage.users.find(user_id)) ?? fail('user.missing')
      if (!isCallerAbove(caller, user.role) && user.id !== caller.user?.id) fail('user.view_denied')
      return file(user)
    },
    async forget({ user_id }, context) {
      await forgetUserData(ports, user_id, context)
      continueAllErasures(ports).catch((error: unknown) =>
        logger.error('somebody is not forgotten yet', { user_id, error: String(error) }),
      )
      return getForgettingState(ports, user_id)
    },
    forgetting: ({ user_id }) => getForgettingState(ports, user_id),
  }
}

/** The same interval as for expired rows, because some stores scan all of their rows for it. */
const EVERY_MS = 600_000

export const privacyFeature: Feature<PrivacyPorts, typeof privacyContract> = {
  contract: privacyContract,
  handlers: createPrivacyHandlers,
  jobs: (parts) => [{ name: 'forget users', every_ms: EVERY_MS, run: () => continueAllErasures(parts) }],
}

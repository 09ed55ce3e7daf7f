// Users of another product become users here: with their names where these are free, their numbers where these are, and
// what they have as the first entry of their account.
import { fillTemplate, words } from '../errors.ts'
import { CHAIN_START, hashEntry } from '../quota/chain.ts'
import type { NewLedgerEntry } from '../quota/ledger-entry.ts'
import { NEVER_EXPIRES } from '../tokens/token.ts'
import { isSubject, USER_ROLE, type User, type UserSetting } from '../users/user.ts'
import { isTakenFor, toLookalikeKey, getLookalikeKeys } from '../users/name.ts'
import type { ImportedUser } from './imported-rows.ts'
import type { ImportPass } from './pass.ts'
import { recordImportedRow, noteScale, getRowNumber, findImportedId, scaleAmount, listUnknownRows } from './pass.ts'
import type { OpenedAccount } from './store.ts'

/** The super administrator of this installation, and the quota of the source's super administrator that is added. */
export interface MergedRoot {
  user: User
  amount: number
  reference: string
}

/**
 * Writes the imported users. Returns the amount to credit to the super administrator of this installation, if the source's
 * super administrator is the same person; null otherwise.
 */
export async function placeUserRows(pass: ImportPass, rows: readonly ImportedUser[]): Promise<MergedRoot | null> {
  const { within, report } = pass
  const root = await within.users.findRoot()
  const same = root && rows.find((row) => row.role === USER_ROLE.root && sameName(row.username, root.username))
  const fresh = listUnknownRows(pass, rows)
  const here = await createNames(pass)
  const newcomers = fresh.filter((row) => row !== same)
  const numbers = await within.imports.numbers('user', newcomers.map(getRowNumber))
  const opened: OpenedAccount[] = []
  const placed: { row: ImportedUser; id: number; aff_code: string | null }[] = []
  let hasRoot = root !== null
  if (same && root && fresh.includes(same)) await mergeRoot(pass, same, root)
  for (const [place, row] of newcomers.entries()) {
    const role = row.role === USER_ROLE.root && hasRoot ? USER_ROLE.admin : row.role
    if (role !== row.role) row.notes.push(words('there is one super administrator here: it is an administrator'))
    hasRoot ||= role === USER_ROLE.root
    const username = here.free(row.username)
    if (username !== row.username)
      row.notes.push(
        fillTemplate(words('its name is taken here, or looks like a taken one: it is now "{username}"'), {
          username,
        }),
      )
    const email = here.email(row.email)
    if (email !== row.email)
      row.notes.push(
        fillTemplate(words('{email} is the address of another account: it has none'), { email: row.email }),
      )
    const number = numbers[place] ?? 0
    const names = { username, display_name: row.display_name, email, role, group: row.group, remark: row.remark }
    const made = await within.users.insert({
      id: number,
      ...names,
      password_hash: row.password_hash,
      created_time: pass.now,
    })
    if (number !== getRowNumber(row)) row.notes.push(fillTemplate(words('its number is {id} here'), { id: made.id }))
    const aff_code = here.code(row.aff_code)
    if (row.aff_code !== '' && aff_code === null)
      row.notes.push(words('its invitation code belongs to another user here: it gets a new one'))
    opened.push(openedAccount(pass, row, made.id))
    placed.push({ row, id: made.id, aff_code })
    arrivedLater(pass, row, made.id)
  }
  await within.imports.openAccounts(opened)
  for (const { row, id, aff_code } of placed) {
    const setting = sealedSetting(pass, row, id)
    const inviter_id = findImportedId(pass, 'user', row.inviter) ?? 0
    await within.imports.finishUser(id, {
      status: row.status,
      setting,
      aff_code,
      inviter_id,
      deleted_at: row.deleted_at,
    })
    await keepAccess(pass, row, id)
  }
  await bindAll(pass, placed)
  for (const { row } of placed) report.came(row, row.notes)
  if (!same || !root) return null
  return { user: root, amount: scaleAmount(pass, same.quota), reference: `import ${pass.source} user ${same.id}` }
}

const sameName = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

/** Makes the user known from here on. The report follows once everything is settled. */
function arrivedLater(pass: ImportPass, { kind, id }: ImportedUser, our_id: number): void {
  const known = pass.ids.get(kind) ?? new Map<string, number>()
  pass.ids.set(kind, known.set(id, our_id))
  pass.fresh.push({ kind, foreign_id: id, our_id })
}

/** The same person: what they set here stays, and their balances become one. */
async function mergeRoot(pass: ImportPass, row: ImportedUser, root: User): Promise<void> {
  row.notes.push(
    fillTemplate(
      words(
        'it is the super administrator of this name: password and settings here stay, its balance of {pass} is added',
      ),
      { pass: scaleAmount(pass, row.quota) },
    ),
  )
  if (row.aff_quota > 0)
    row.notes.push(
      fillTemplate(words('its invitation earnings of {aff_quota} have no place'), { aff_quota: row.aff_quota }),
    )
  const { used_quota, request_count } = row
  await pass.within.imports.addHistory(root.id, { used_quota: scaleAmount(pass, used_quota), request_count })
  const own = new Set((await pass.within.accessTokens.listOfUser(root.id)).map(({ name }) => name))
  if (!own.has(ACCESS_NAME)) await keepAccess(pass, row, root.id)
  recordImportedRow(pass, row, root.id)
}

function openedAccount(pass: ImportPass, row: ImportedUser, id: number): OpenedAccount {
  noteScale(pass, row.notes, row.quota)
  const quota = scaleAmount(pass, row.quota)
  const figures = {
    used_quota: scaleAmount(pass, row.used_quota),
    request_count: row.request_count,
    aff_count: row.aff_count,
    aff_quota: scaleAmount(pass, row.aff_quota),
    aff_history: scaleAmount(pass, row.aff_history),
  }
  if (quota === 0) return { id, quota, ...figures, entry: null }
  const entry: Omit<NewLedgerEntry, 'hash'> = {
    account_id: id,
    token_id: null,
    kind: 'opening',
    amount: quota,
    balance_after: quota,
    hold_id: null,
    reference: `import ${pass.source} user ${row.id}`,
    request_id: null,
    by_user_id: pass.by_user_id,
    created_at: pass.now,
    detail: null,
    cost: null,
  }
  return { id, quota, ...figures, entry: { ...entry, hash: hashEntry(pass.digest, CHAIN_START, entry) } }
}

/** Encrypts the webhook's secret, as all secrets are. */
function sealedSetting({ secrets }: ImportPass, { setting }: ImportedUser, id: number): string {
  if (setting === '') return ''
  const userSetting = JSON.parse(setting) as UserSetting
  const { webhook_secret: secret } = userSetting
  return JSON.stringify(
    secret ? { ...userSetting, webhook_secret: secrets.encrypt(secret, ['users.setting', id]) } : userSetting,
  )
}

const ACCESS_NAME = 'imported'

/** Keeps the user's access token valid for the API. */
async function keepAccess({ within, secrets, now }: ImportPass, row: ImportedUser, user_id: number): Promise<void> {
  if (row.access_token === '' || row.deleted_at !== null) return
  const token_hash = secrets.hash(row.access_token)
  if (await within.accessTokens.find(token_hash)) {
    row.notes.push(words('its access token belongs to another user here'))
    return
  }
  const token = { name: ACCESS_NAME, scope: 'all' as const, created_time: now, expired_time: NEVER_EXPIRES }
  await within.accessTokens.insert({ ...token, user_id, token_hash })
}

/** Binds the identities at other services, each one once. */
async function bindAll(pass: ImportPass, placed: readonly { row: ImportedUser; id: number }[]): Promise<void> {
  const { imports } = pass.within
  const requested = placed
    .filter(({ row }) => row.deleted_at === null)
    .flatMap(({ row, id }) =>
      Object.entries(row.identities).map(([provider, subject]) => ({ row, provider, subject, user_id: id })),
    )
  const taken = await imports.takenIdentities(requested)
  const bound = requested.filter(({ row, provider, subject }) => {
    const key = `${provider} ${subject}`
    const isFree = isSubject(subject) && !taken.has(key)
    taken.add(key)
    if (!isFree) row.notes.push(fillTemplate(words('its {provider} account is linked to another user'), { provider }))
    return isFree
  })
  await imports.bindIdentities(
    bound.map(({ provider, subject, user_id }) => ({ provider, subject, user_id, created_time: pass.now })),
  )
}

/** Creates the checks for unique values: lookalike names, addresses and invitation codes. */
async function createNames({ within }: ImportPass) {
  const users = await within.imports.users()
  const names = new Set(users.map(({ username }) => username.toLowerCase()))
  const namesByLook = new Map<string, string[]>()
  const emails = new Set(users.map(({ email }) => email.toLowerCase()))
  const codes = new Set(users.map(({ aff_code }) => aff_code))
  const remember = (name: string) => {
    names.add(name.toLowerCase())
    const look = toLookalikeKey(name)
    namesByLook.set(look, [...(namesByLook.get(look) ?? []), name])
  }
  for (const { username } of users) remember(username)
  const isTaken = (name: string) =>
    names.has(name.toLowerCase()) ||
    getLookalikeKeys(name).some((look) => namesByLook.get(look)?.some((other) => isTakenFor(other, name)))
  return {
    free(requested: string): string {
      let name = requested
      for (let number = 2; isTaken(name); number += 1) name = `${requested}-${number}`
      remember(name)
      return name
    },
    email(requested: string): string {
      if (requested === '' || emails.has(requested.toLowerCase())) return ''
      emails.add(requested.toLowerCase())
      return requested
    },
    code(requested: string): string | null {
      if (requested === '' || codes.has(requested)) return null
      codes.add(requested)
      return requested
    },
  }
}

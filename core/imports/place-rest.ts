// Stores tokens, channels, redemption codes and orders of another product, with their ids if these are free.
import { CHANNEL_STATUS } from '../channels/channel.ts'
import { findFormRefusal } from '../channels/changes.ts'
import { fillTemplate, words, type GatewayError, type Words } from '../errors.ts'
import { toFullKey } from '../tokens/token.ts'
import { REDEMPTION_STATUS } from '../redemptions/redemption.ts'
import type { ImportedChannel, ImportedCode, ImportedOrder, ImportedToken } from './imported-rows.ts'
import type { ImportPass } from './pass.ts'
import {
  describeRefusal,
  recordImportedRow,
  noteScale,
  getRowNumber,
  findImportedId,
  scaleAmount,
  listUnknownRows,
} from './pass.ts'

/** Keeps a number that scripts may use. A changed number is reported. */
async function numbersFor<R extends ImportedChannel | ImportedToken>(
  pass: ImportPass,
  kind: R['kind'],
  rows: readonly R[],
) {
  const given = await pass.within.imports.numbers(kind, rows.map(getRowNumber))
  const numbers = new Map(rows.map((row, place) => [row.id, given[place] ?? 0]))
  return (row: R): number => {
    const id = numbers.get(row.id) ?? 0
    if (getRowNumber(row) > 0 && id !== getRowNumber(row))
      row.notes.push(fillTemplate(words('its number is {id} here'), { id }))
    return id
  }
}

export async function placeChannelRows(pass: ImportPass, rows: readonly ImportedChannel[]): Promise<void> {
  const { within } = pass
  const fresh = listUnknownRows(pass, rows)
  const numberFor = await numbersFor(pass, 'channel', fresh)
  for (const row of fresh) {
    const {
      kind: _kind,
      id: _id,
      notes,
      response_time,
      balance,
      balance_updated_time,
      test_time,
      used_quota,
      ...fields
    } = row
    const refusal = findFormRefusal({ ...fields, remark: row.remark ?? '', max_input_tokens: 0 })
    if (refusal) notes.push(describeUnusable(refusal))
    const status = refusal ? CHANNEL_STATUS.disabled : row.status
    const [made] = await within.channels.insert([
      {
        ...fields,
        status,
        remark: row.remark ?? '',
        max_input_tokens: 0,
        address_by: 'root',
        id: numberFor(row),
      },
    ])
    if (!made) continue
    const measured = { response_time, balance, balance_updated_time, test_time }
    await within.imports.finishChannel(made.id, { ...measured, used_quota: scaleAmount(pass, used_quota) })
    recordImportedRow(pass, row, made.id)
  }
}

/** The note of a channel that no form would accept as it is. */
function describeUnusable(refusal: GatewayError): Words {
  return fillTemplate(words('it is switched off until it is corrected: {reason}'), { reason: describeRefusal(refusal) })
}

export async function placeTokenRows(pass: ImportPass, rows: readonly ImportedToken[]): Promise<void> {
  const { within, secrets, report } = pass
  const fresh = listUnknownRows(pass, rows)
  const getDigest = ({ key, key_digest }: ImportedToken) => (key === '' ? key_digest : secrets.digest(toFullKey(key)))
  const buildHashes = (row: ImportedToken) => ({
    token: secrets.hash(row.key),
    token_digest: secrets.hash(getDigest(row)),
  })
  const known = fresh.filter(({ key }) => key !== '')
  const taken = await within.imports.taken(
    'token',
    known.map((row) => buildHashes(row).token),
  )
  const takenDigests = await within.imports.taken(
    'token_digest',
    fresh.map((row) => buildHashes(row).token_digest),
  )
  const numberFor = await numbersFor(pass, 'token', fresh)
  for (const row of fresh) {
    const user_id = findImportedId(pass, 'user', row.user)
    if (user_id === undefined) {
      report.left(row, fillTemplate(words('its user {user} did not come'), { user: row.user }))
      continue
    }
    const hashes = buildHashes(row)
    if (taken.has(hashes.token) || takenDigests.has(hashes.token_digest)) {
      report.left(row, words('another token has its key already'))
      continue
    }
    if (row.key !== '') taken.add(hashes.token)
    takenDigests.add(hashes.token_digest)
    const { name, status, created_time, expired_time, model_limits_enabled, model_limits, allow_ips, group } = row
    const { requests_per_minute, tokens_per_minute, max_concurrent } = row
    const limits = {
      model_limits_enabled,
      model_limits,
      allow_ips,
      group,
      fallback_models: '',
      requests_per_minute,
      tokens_per_minute,
      max_concurrent,
      budget_day: scaleAmount(pass, row.budget_day),
      budget_week: scaleAmount(pass, row.budget_week),
      budget_month: scaleAmount(pass, row.budget_month),
    }
    const key = { key: row.key, ...(row.key === '' ? { key_digest: row.key_digest } : {}) }
    const fields = { user_id, ...key, name, status, created_time, expired_time, ...limits }
    const made = await within.tokens.insert({ ...fields, id: numberFor(row) })
    noteScale(pass, row.notes, row.unlimited_quota ? 0 : row.remain_quota)
    await within.imports.finishToken(made.id, {
      remain_quota: scaleAmount(pass, row.remain_quota),
      unlimited_quota: row.unlimited_quota,
      used_quota: scaleAmount(pass, row.used_quota),
      accessed_time: row.accessed_time,
      deleted_at: row.deleted_at,
    })
    recordImportedRow(pass, row, made.id)
  }
}

export async function placeRedemptionRows(pass: ImportPass, rows: readonly ImportedCode[]): Promise<void> {
  const { within, secrets, report } = pass
  const fresh = listUnknownRows(pass, rows)
  const taken = await within.imports.taken(
    'redemption',
    fresh.map(({ key }) => secrets.hash(key)),
  )
  for (const row of fresh) {
    const hash = secrets.hash(row.key)
    if (taken.has(hash)) {
      report.left(row, words('there is the same code already'))
      continue
    }
    taken.add(hash)
    noteScale(pass, row.notes, row.quota)
    const { key, name, created_time, expired_time, remark } = row
    const [made] = await within.redemptions.insert([
      {
        key,
        name,
        created_time,
        expired_time,
        remark,
        quota: scaleAmount(pass, row.quota),
        user_id: findImportedId(pass, 'user', row.user) ?? 0,
      },
    ])
    if (!made) continue
    await within.imports.finishCode(made.id, {
      status: row.status,
      redeemed_time: row.redeemed_time,
      used_user_id: row.status === REDEMPTION_STATUS.used ? (findImportedId(pass, 'user', row.used_by) ?? 0) : 0,
      deleted: row.is_deleted,
    })
    recordImportedRow(pass, row, made.id)
  }
}

export async function placeOrderRows(pass: ImportPass, rows: readonly ImportedOrder[]): Promise<void> {
  const { within, report } = pass
  const fresh = listUnknownRows(pass, rows)
  const taken = await within.imports.taken(
    'topup',
    fresh.map(({ trade_no }) => trade_no),
  )
  for (const row of fresh) {
    const user_id = findImportedId(pass, 'user', row.user)
    if (user_id === undefined || taken.has(row.trade_no)) {
      const why =
        user_id === undefined
          ? fillTemplate(words('its user {user} did not come'), { user: row.user })
          : words('there is an order of this number already')
      report.left(row, why)
      continue
    }
    taken.add(row.trade_no)
    const { trade_no, amount, money, status, create_time } = row
    const id = await within.imports.addOrder({
      user_id,
      trade_no,
      amount,
      money,
      status,
      create_time,
      provider: 'epay',
      method: '',
      currency: 'cny',
      quota: scaleAmount(pass, row.quota),
      paid_time: status === 'success' ? create_time : 0,
      provider_trade_no: '',
    })
    recordImportedRow(pass, row, id)
  }
}

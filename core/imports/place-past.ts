// Stores the log and tasks of another product as history: they are not charged again, but they count in the usage
// statistics.
import { parseCallDetail } from '../calls/detail.ts'
import { EMPTY_LOG_ROW, type LogEntry, type NewLogEntry } from '../calls/log-entry.ts'
import { fillTemplate, words } from '../errors.ts'
import type { NewTask } from '../tasks/task.ts'
import { parseCountedRow } from '../usage/counted-call.ts'
import { UsageSums } from '../usage/sums.ts'
import type { ImportedLogRow, ImportedTask } from './imported-rows.ts'
import { findImportedId, scaleAmount, type ImportPass } from './pass.ts'

export async function placeLogRows(pass: ImportPass, rows: readonly ImportedLogRow[]): Promise<void> {
  const { within, report, source } = pass
  const known = await within.imports.broughtOf(
    source,
    'log',
    rows.map(({ id }) => id),
  )
  const sums = new UsageSums()
  const added: NewLogEntry[] = []
  for (const row of rows) {
    if (known.has(row.id)) {
      report.known(row)
      continue
    }
    known.add(row.id)
    const entry = buildLogEntry(pass, row)
    const counted = parseCountedRow({ ...entry, id: 0, channel_name: '' } satisfies LogEntry)
    if (counted) sums.add(counted)
    added.push(entry)
    pass.fresh.push({ kind: 'log', foreign_id: row.id, our_id: 0 })
    report.came(row, row.notes)
  }
  await within.imports.addPast(added, sums.rows())
}

function buildLogEntry(pass: ImportPass, row: ImportedLogRow): NewLogEntry {
  const { kind: _kind, id: _id, name: _name, notes, user, token, channel, other, ...fields } = row
  const user_id = user === '' ? 0 : findImportedId(pass, 'user', user)
  if (user_id === undefined && !pass.tried)
    notes.push(fillTemplate(words('its user {user} was not imported: the row belongs to no user'), { user }))
  return {
    ...EMPTY_LOG_ROW,
    ...fields,
    quota: scaleAmount(pass, row.quota),
    user_id: user_id ?? 0,
    token_id: findImportedId(pass, 'token', token) ?? 0,
    channel: findImportedId(pass, 'channel', channel) ?? 0,
    other: withOurChannels(pass, other),
  }
}

/** Replaces the ids of the attempted channels with those in Weir. */
function withOurChannels(pass: ImportPass, other: string): string {
  if (!other.includes('"use_channel":[')) return other
  const detail = parseCallDetail(other)
  const { use_channel } = detail.admin_info ?? {}
  if (!use_channel) return other
  const channelIds = use_channel.map((id) => String(findImportedId(pass, 'channel', String(id)) ?? id))
  return JSON.stringify({ ...detail, admin_info: { ...detail.admin_info, use_channel: channelIds } })
}

export async function placeTaskRows(pass: ImportPass, rows: readonly ImportedTask[]): Promise<void> {
  const { within, report, source, random } = pass
  const known = await within.imports.broughtOf(
    source,
    'task',
    rows.map(({ id }) => id),
  )
  const added: NewTask[] = []
  for (const row of rows) {
    const user_id = findImportedId(pass, 'user', row.user)
    if (known.has(row.id)) report.known(row)
    else if (user_id === undefined && !pass.tried)
      report.left(row, fillTemplate(words('its user {user} did not come'), { user: row.user }))
    else {
      known.add(row.id)
      added.push(buildTask(pass, row, user_id ?? 0, random.text(NOTIFY_LENGTH)))
      pass.fresh.push({ kind: 'task', foreign_id: row.id, our_id: 0 })
      report.came(row, row.notes)
    }
  }
  await within.imports.addTasks(added)
}

const NOTIFY_LENGTH = 32

function buildTask(pass: ImportPass, row: ImportedTask, user_id: number, notify_key: string): NewTask {
  const { kind: _kind, id: _id, name: _name, notes: _notes, user: _user, channel, quota, ...fields } = row
  return {
    ...fields,
    user_id,
    account_id: user_id,
    channel_id: findImportedId(pass, 'channel', channel) ?? 0,
    quota: scaleAmount(pass, quota),
    upstream_id: row.task_id,
    format: '',
    group: '',
    username: '',
    token_id: 0,
    token_name: '',
    key: '',
    files: '',
    asked: '',
    refunded: 0,
    request_id: '',
    terms: '',
    updated_at: row.finish_time,
    due_at: null,
    lease_until: 0,
    polls: 0,
    failures: 0,
    look: '',
    hook: '',
    notify_key,
  }
}

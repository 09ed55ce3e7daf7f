// A channel's `setting`: JSON on the wire, members in a form. Undeclared members are retained.
import type { FormFieldControls } from '../../../core/contract/control.ts'
import { parseJsonObjectText } from '../../../core/channels/channel.ts'

type Members = Record<string, unknown>

/** Returns the members of the form, with the default of each that is missing. */
export function parseSettingMembers(text: string, form: FormFieldControls): Members {
  const members = parseJsonObjectText(text)
  return Object.fromEntries(Object.values(form).map(({ name, initial }) => [name, members[name] ?? initial]))
}

/** Returns the names of members that the form does not declare. */
export const listUndeclared = (text: string, form: FormFieldControls): string[] =>
  Object.keys(parseJsonObjectText(text)).filter((name) => !Object.hasOwn(form, name))

/** Returns the text with these members changed. Changed members that equal their default are omitted. */
export function setSettingMembers(text: string, change: Members, form: FormFieldControls): string {
  const all = { ...parseJsonObjectText(text), ...change }
  const entries = Object.entries(all).filter(
    ([name, value]) => !Object.hasOwn(change, name) || differsFromDefault(value, form[name]),
  )
  return entries.length === 0 ? '' : JSON.stringify(Object.fromEntries(entries), null, 2)
}

function differsFromDefault(value: unknown, control: FormFieldControls[string] | undefined): boolean {
  if (typeof value === 'boolean') return value !== (control?.initial ?? false)
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0
  return value !== undefined && value !== ''
}

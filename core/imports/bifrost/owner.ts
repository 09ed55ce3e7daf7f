// Converts the paying parties of Bifrost: customers and teams, whose virtual keys become those of a user.
import { asList, asFiniteNumber, asObject, asText } from '../../dialects/json/json-value.ts'
import { words } from '../../errors.ts'
import type { ImportedUser } from '../imported-rows.ts'
import { parseCellJson, getCellText, type RowChangeNotes, type SourceRow } from '../cells.ts'
import { buildAccount } from '../litellm/people.ts'
import type { LeftRow, SourceFacts } from '../product.ts'

/** The owner of the virtual keys without an owner. */
export const OWNERLESS_USER_ID = 'keys of nobody'

export function convertBifrostOwner(row: SourceRow, facts: SourceFacts): ImportedUser | LeftRow {
  const notes: RowChangeNotes = [
    words('it is a user of its name here, who pays for its keys and has them; it cannot sign in yet'),
  ]
  const [first, ...others] = (asList(parseCellJson(row, 'budget')) ?? []).map((each) => asObject(each) ?? {})
  if (others.length > 0) notes.push(words('only the first of its budgets came'))
  return buildAccount(
    {
      max_budget: first === undefined ? '' : String(first.max_limit ?? ''),
      spend: String(asFiniteNumber(first?.current_usage) ?? 0),
      budget_duration: asText(first?.reset_duration) ?? '',
    },
    { id: getCellText(row, 'id'), username: getCellText(row, 'name') },
    facts,
    notes,
  )
}

/** Builds the account for virtual keys without an owner, at the first such key. */
export const buildOwnerlessAccount = (facts: SourceFacts): ImportedUser | LeftRow =>
  buildAccount({}, { id: OWNERLESS_USER_ID, username: 'bifrost-keys' }, facts, [
    words('it has the virtual keys without an owner'),
  ])

// The JSON type of each member of a log row's detail.
import { getDetailSchemas } from '../../../core/calls/detail.ts'
import { toRules } from '../../../core/contract/field.ts'

const { properties = {} } = toRules(getDetailSchemas().CallDetail, 'output')

export const detailMemberKinds: Record<string, string> = Object.fromEntries(
  Object.entries(properties).map(([name, schema]) => [name, String((schema as { type?: string }).type ?? 'any')]),
)

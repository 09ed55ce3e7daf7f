// The fields of each endpoint whose values are never shown.
import { findField } from '../../core/contract/field.ts'
import { endpoints } from '../../core/contracts.ts'

const isSecret = (name: string, kind: string | undefined) => kind === 'secret' || /password|secret/i.test(name)

export const secretFields: Record<string, string[]> = Object.fromEntries(
  [...endpoints]
    .map(([name, { body }]): [string, string[]] => [
      name,
      Object.entries(body?.shape ?? {})
        .filter(([field, schema]) => isSecret(field, findField(schema)?.kind))
        .map(([field]) => field),
    ])
    .filter(([, fields]) => fields.length > 0),
)

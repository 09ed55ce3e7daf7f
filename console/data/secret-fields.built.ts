// The fields of each endpoint whose values are never shown.
import { findFieldDeclaration } from '../../core/contract/field.ts'
import { endpointsByName } from '../../core/contracts.ts'

const isSecret = (name: string, kind: string | undefined) => kind === 'secret' || /password|secret/i.test(name)

export const secretFieldNames: Record<string, string[]> = Object.fromEntries(
  [...endpointsByName]
    .map(([name, { body }]): [string, string[]] => [
      name,
      Object.entries(body?.shape ?? {})
        .filter(([field, schema]) => isSecret(field, findFieldDeclaration(schema)?.kind))
        .map(([field]) => field),
    ])
    .filter(([, fields]) => fields.length > 0),
)

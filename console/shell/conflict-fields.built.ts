// Labels of the fields that may be in conflict.
import { findFieldDeclaration } from '../../core/contract/field.ts'
import { endpointsByName } from '../../core/contracts.ts'
import type { z } from 'zod'

/** By endpoint and field; secrets are never compared. */
export const conflictFieldNames = Object.fromEntries(
  [...endpointsByName]
    .filter(([, { body }]) => body && 'version' in body.shape)
    .map(([name, { body }]) => [
      name,
      Object.fromEntries(
        Object.entries((body?.shape ?? {}) as Record<string, z.ZodType>).flatMap(([field, schema]) => {
          const { label, kind } = findFieldDeclaration(schema) ?? {}
          return label && kind !== 'secret' && !['version', 'password'].includes(field)
            ? [[field, { label, kind }]]
            : []
        }),
      ),
    ]),
)

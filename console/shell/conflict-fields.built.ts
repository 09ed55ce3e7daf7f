// What fields are called of which somebody else may have saved another value meanwhile.
import { findField } from '../../core/contract/field.ts'
import { endpoints } from '../../core/contracts.ts'
import type { z } from 'zod'

/** By endpoint and field; secrets are compared with nothing. */
export const conflictFields = Object.fromEntries(
  [...endpoints]
    .filter(([, { body }]) => body && 'version' in body.shape)
    .map(([name, { body }]) => [
      name,
      Object.fromEntries(
        Object.entries((body?.shape ?? {}) as Record<string, z.ZodType>).flatMap(([field, schema]) => {
          const { label, kind } = findField(schema) ?? {}
          return label && kind !== 'secret' && !['version', 'password'].includes(field)
            ? [[field, { label, kind }]]
            : []
        }),
      ),
    ]),
)

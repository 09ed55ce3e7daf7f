// The shapes with a name in the OpenAPI document, from which generated clients make a type each. A shape is added where
// it is declared, by `namedSchemas.add(…)`.
import { z } from 'zod'

export const namedSchemas = z.registry<{ id: string }>()

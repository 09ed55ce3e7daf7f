// The shapes that the OpenAPI document calls by a name, for generated clients make a type of each: a shape says so where it
// is declared, `namedSchemas.add(…)`.
import { z } from 'zod'

export const namedSchemas = z.registry<{ id: string }>()
